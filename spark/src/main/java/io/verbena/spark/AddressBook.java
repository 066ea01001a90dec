package io.verbena.spark;

import java.io.Serializable;
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

    private final Map<String, Address> addresses = new ConcurrentHashMap<>();

    /// Handles a message of an executor and returns the answer.
    Address answer(Object message) {
        return switch (message) {
            case Entry entry -> {
                addresses.put(entry.executor, entry.address);
                yield entry.address;
            }
            case Question question ->
                addresses.getOrDefault(question.executor, Address.none("the driver does not know its address"));
            default -> throw new IllegalArgumentException("no message of the address book: " + message);
        };
    }
}
