package io.verbena.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.fabric.SimulatedFabric;
import io.verbena.soft.fabric.SimulatedHost;
import io.verbena.soft.fault.Fault;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.fault.FaultRule;
import io.verbena.soft.fault.FrameMatcher;
import io.verbena.verbs.Context;
import io.verbena.verbs.Keys;
import io.verbena.verbs.MemoryWindowBind;
import io.verbena.verbs.Poller;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.RemoteBuffer;
import io.verbena.verbs.WorkCompletionHandler;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.FlushType;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.MemoryWindowType;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairCapabilities;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import java.lang.reflect.Array;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Calls every public method of the exported types with null for each argument in turn. Null may be allowed or refused
/// with a message, but the JVM's own NullPointerException text must not appear.
@Timeout(60)
class NullArgumentTest {
    private static final List<Class<?>> STATIC_TYPES = List.of(
            Rdma.class,
            Keys.class,
            Poller.class,
            QueuePairOptions.class,
            QueuePairChange.class,
            MemoryWindowBind.class,
            RemoteBuffer.class,
            Access.class,
            AddressVector.class,
            FlushType.class,
            Gid.class,
            Mtu.class,
            Operation.class,
            SharedReceiveQueueOptions.class,
            ConnectionParameters.class,
            FaultPlan.class,
            FaultRule.class,
            SimulatedFabric.class);

    /// Objects that programs implement and the device calls.
    private static final Set<Class<?>> CALLBACKS = Set.of(WorkCompletionHandler.class, FrameMatcher.class);

    private final SimulatedFabric fabric = new SimulatedFabric(1);
    private final SimulatedHost host = fabric.host("10.0.0.1");
    /// One of each kind: methods are called on them, and with them as the arguments that are not null.
    private final List<Object> things = new ArrayList<>();

    private final Set<String> bare = new TreeSet<>();
    private int calls;

    private void makeThings(Context context) {
        ProtectionDomain pd = context.allocateProtectionDomain();
        var channel = context.createCompletionChannel();
        var cq = context.createCompletionQueue(16, channel);
        var qp = pd.createQueuePair(QueuePairOptions.rc(cq));
        var ud = pd.createQueuePair(QueuePairOptions.ud(cq));
        var srq = pd.createSharedReceiveQueue(SharedReceiveQueueOptions.of(4));
        var region = pd.allocate(64, Access.LOCAL_WRITE, Access.REMOTE_READ, Access.MEMORY_WINDOW_BIND);
        var window = pd.allocateMemoryWindow(MemoryWindowType.TYPE_1);
        var address = AddressVector.to(context.gid(1, 0));
        var manager = host.connectionManager();
        var events = manager.createEventChannel();
        things.addAll(List.of(context, context.device(), context.asyncEvents(), pd, channel, cq, qp, ud, srq, region));
        things.addAll(List.of(window, pd.createAddressHandle(address), Poller.of(channel), manager, events));
        things.addAll(List.of(manager.createId(events, PortSpace.TCP), manager.createSynchronousId(PortSpace.TCP)));
        things.addAll(List.of(
                qp.newSendRequest().send().empty(), qp.newReceiveRequest().empty(), fabric, host));
        things.addAll(List.of(QueuePairOptions.rc(cq), QueuePairChange.toInit(), FaultPlan.none(), address));
        things.addAll(List.of(SharedReceiveQueueOptions.of(4), region.remote(), ConnectionParameters.DEFAULT));
        things.addAll(List.of(
                MemoryWindowBind.of(region, region.address(), 8, Access.REMOTE_READ),
                Duration.ZERO,
                region.memory(),
                context.gid(1, 0)));
        things.addAll(List.of(host.address(), new InetSocketAddress(host.address(), 0), "10.0.0.1", new byte[1]));
        things.addAll(
                List.of((WorkCompletionHandler) completion -> {}, (BooleanSupplier) () -> true, Set.of(), List.of()));
        things.addAll(List.of(
                QueuePairCapabilities.DEFAULT, new FaultRule(Fault.LOSS, FrameMatcher.nth(0), 1), FrameMatcher.nth(0)));
    }

    @Test
    void shouldNameTheArgumentThatIsNull() {
        Context context = host.device().open();
        makeThings(context);
        for (Object thing : List.copyOf(things)) {
            exportedTypesOf(thing.getClass())
                    .flatMap(type -> Stream.of(type.getMethods()))
                    .filter(method -> !Modifier.isStatic(method.getModifiers()))
                    .filter(method -> exports(method.getDeclaringClass()))
                    .filter(method -> !CALLBACKS.contains(method.getDeclaringClass()))
                    .distinct()
                    .forEach(method -> tryNulls(thing, method));
        }
        for (Class<?> type : STATIC_TYPES) {
            Stream.of(type.getMethods())
                    .filter(method -> Modifier.isStatic(method.getModifiers()))
                    .filter(method -> exports(method.getDeclaringClass()))
                    .forEach(method -> tryNulls(null, method));
            Stream.of(type.getConstructors()).forEach(constructor -> tryNulls(null, constructor));
        }
        assertTrue(calls > 150, "calls: " + calls);
        assertEquals("", String.join("\n", bare));
        context.closeAll();
    }

    private static Stream<Class<?>> exportedTypesOf(Class<?> type) {
        Stream<Class<?>> own = exports(type) && Modifier.isPublic(type.getModifiers()) ? Stream.of(type) : Stream.of();
        Stream<Class<?>> above = type.getSuperclass() == null ? Stream.of() : exportedTypesOf(type.getSuperclass());
        return Stream.concat(
                Stream.concat(own, above), Stream.of(type.getInterfaces()).flatMap(NullArgumentTest::exportedTypesOf));
    }

    private static boolean exports(Class<?> type) {
        return type.getName()
                .matches("io\\.verbena\\.(verbs|verbs\\.attr|verbs\\.cm|soft\\.fabric|soft\\.fault)\\.\\w+");
    }

    private void tryNulls(Object target, Executable method) {
        Class<?>[] types = method.getParameterTypes();
        for (int i = 0; i < types.length; i++) {
            if (!types[i].isPrimitive() && !method.getName().equals("equals")) {
                call(target, method, i, null);
                if (method.isVarArgs() && i == types.length - 1) {
                    call(target, method, i, Array.newInstance(types[i].getComponentType(), 1));
                } else if (Collection.class.isAssignableFrom(types[i])) {
                    call(target, method, i, java.util.Collections.singletonList(null));
                }
            }
        }
    }

    private void call(Object target, Executable method, int index, Object nothing) {
        Object[] arguments =
                Stream.of(method.getParameterTypes()).map(this::sample).toArray();
        arguments[index] = nothing;
        calls++;
        try {
            if (method instanceof Method verb) {
                verb.invoke(target, arguments);
            } else {
                ((java.lang.reflect.Constructor<?>) method).newInstance(arguments);
            }
        } catch (InvocationTargetException e) {
            judge(method, index, e.getCause());
        } catch (IllegalArgumentException otherKindOfCollection) {
            calls--;
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(method.toString(), e);
        }
    }

    private void judge(Executable method, int index, Throwable thrown) {
        String told = String.valueOf(thrown.getMessage());
        boolean inWords = told.contains(" is null") || told.contains(" are null") || told.contains("is of another");
        boolean refused = thrown instanceof io.verbena.verbs.RdmaException
                || thrown instanceof IllegalArgumentException
                || thrown instanceof IllegalStateException
                || thrown instanceof IndexOutOfBoundsException;
        boolean jvmText = told.equals("null") || told.startsWith("Cannot ") || told.contains("because \"");
        if (jvmText || !refused && !inWords) {
            bare.add(method.getDeclaringClass().getSimpleName() + "." + method.getName() + " argument " + index + " of "
                    + method.getParameterCount() + " (" + method.getParameterTypes()[index].getSimpleName() + "): "
                    + thrown);
        }
    }

    private Object sample(Class<?> type) {
        if (type == boolean.class) {
            return false;
        }
        if (type.isPrimitive()) {
            return Array.get(Array.newInstance(type, 1), 0);
        }
        if (type.isArray() && type != byte[].class) {
            return Array.newInstance(type.getComponentType(), 0);
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        return things.stream().filter(type::isInstance).findFirst().orElse(null);
    }
}
