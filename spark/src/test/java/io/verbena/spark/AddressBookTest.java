package io.verbena.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class AddressBookTest {
    private final AddressBook book = new AddressBook();

    private void add(String executor, int port) {
        book.answer(new AddressBook.Entry(executor, new AddressBook.Address("10.0.0.1", port, 1)));
    }

    @Test
    void shouldNameExecutorsThatListen() {
        add("1", 4000);
        add("2", 0);
        assertEquals(List.of("1"), book.answer(new AddressBook.Everyone()));
    }

    @Test
    void shouldNotNameExecutorsWhenThereAreMany() {
        for (int i = 1; i <= 32; i++) {
            add("" + i, 4000);
        }
        assertEquals(32, ((List<?>) book.answer(new AddressBook.Everyone())).size());
        add("33", 4000);
        assertEquals(List.of(), book.answer(new AddressBook.Everyone()));
        assertEquals(new AddressBook.Address("10.0.0.1", 4000, 1), book.answer(new AddressBook.Question("33")));
        book.remove("33");
        assertEquals(32, ((List<?>) book.answer(new AddressBook.Everyone())).size());
        assertEquals(0, ((AddressBook.Address) book.answer(new AddressBook.Question("33"))).port());
    }
}
