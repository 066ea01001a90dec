package io.verbena.tools.trace;

import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.util.Optional;

/// A call of a traced object.
///
/// - `target`: the provider's object
/// - `arguments`: as the program gave them
/// - `result`: what the provider returned; null before
record TracedCall(Wrappers wrappers, Object target, Object[] arguments, Object result) {
    <T> T target(Class<T> type) {
        return type.cast(target);
    }

    <T> T argument(int index, Class<T> type) {
        return type.cast(arguments[index]);
    }

    Object argument(int index) {
        return arguments[index];
    }

    /// An argument or a result in words.
    String text(Object value) {
        return switch (value) {
            case null -> "none";
            case Optional<?> optional -> text(optional.orElse(null));
            case InetSocketAddress address -> ConnectionVerbs.address(address);
            case PortSpace space -> "RDMA_PS_" + space;
            case AddressVector vector -> DeviceVerbs.destination(vector);
            case Gid gid -> DeviceVerbs.gid(gid);
            default -> Wrappers.isOfApi(value) ? name(value) : String.valueOf(value);
        };
    }

    /// The name of an object of the API in the trace: `CQ 1`, `QP 17`.
    String name(Object apiObject) {
        return wrappers.name(apiObject);
    }

    /// The name of the called object.
    String name() {
        return name(target);
    }

    /// The name of the returned object.
    String made() {
        return name(result);
    }
}
