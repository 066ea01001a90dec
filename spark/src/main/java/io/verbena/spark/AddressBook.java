package io.verbena.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Where executors listen. The driver keeps it; executors tell it their own address and ask for that of others.
final class AddressBook {
    /// @param port 0 when the executor does not listen, and `host` is the reason
    /// @param node the executor's random number. Another one, of another application even, may have the port later.
    record Address(String host, int port, long node) implements Serializable {
        static Address none(String reason) {
            return new Address(reason, 0, 0);
        }
    }

    /// An executor listens.
    record Entry(String executor, Address address) implements Serializable {}

    /// An executor asks for another one.
    record Question(String executor) implements Serializable {}

    /// An executor asks for the names of all that listen.
    record Everyone() implements Serializable {}

    /// The driver, for an executor that asks.
    interface Lookup {
        Address of(String executor);

        /// The names of other executors that listen; none when they are many.
        default List<String> others() {
            return List.of();
        }
    }

    /// With more executors, each connects only to those that it needs.
    private static final int MOST_NAMED = 32;

    private final Map<String, Address> addresses = new ConcurrentHashMap<>();

    /// An executor has ended.
    void remove(String executor) {
        addresses.remove(executor);
    }

    /// Handles a message of an executor and returns the answer.
    Object answer(Object message) {
        return switch (message) {
            case Entry entry -> {
                addresses.put(entry.executor, entry.address);
                yield entry.address;
            }
            case Question question ->
                addresses.getOrDefault(question.executor, Address.none("the driver does not know its address"));
            case Everyone() -> {
                List<String> names = addresses.entrySet().stream()
                        .filter(entry -> entry.getValue().port != 0)
                        .map(Map.Entry::getKey)
                        .toList();
                yield new ArrayList<>(names.size() > MOST_NAMED ? List.of() : names);
            }
            default -> throw new IllegalArgumentException("no message of the address book: " + message);
        };
    }
}
