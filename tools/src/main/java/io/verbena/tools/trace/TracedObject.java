package io.verbena.tools.trace;

import io.verbena.tools.trace.TraceRecord.Kind;
import io.verbena.tools.trace.VerbRow.When;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// The handler of a proxy for one object of the provider: records each call, and forwards it.
final class TracedObject implements InvocationHandler {
    private static final Object[] NONE = {};
    /// Calls of a synchronous id that wait for an event.
    private static final Set<String> WAITING = Set.of(
            "resolveAddress",
            "resolveRoute",
            "connect",
            "accept",
            "disconnect",
            "establish",
            "joinMulticast",
            "leaveMulticast");

    private final Wrappers wrappers;
    private final Recorder recorder;
    private final Object target;
    private final RequestNote note = new RequestNote();
    private volatile boolean isClosed;
    private volatile String armedFor = "";
    private volatile CmEvent lastEvent;

    TracedObject(Wrappers wrappers, Recorder recorder, Object target) {
        this.wrappers = wrappers;
        this.recorder = recorder;
        this.target = target;
    }

    Object target() {
        return target;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] given) throws Throwable {
        Object[] arguments = given == null ? NONE : given;
        if (method.getDeclaringClass() == Object.class) {
            return ofObject(method, arguments);
        }
        VerbRow verb = isClosed && isClose(method) ? null : VerbTable.find(method);
        recordBefore(verb, arguments);
        Object result = call(proxy, method, arguments, verb);
        recordAfter(verb, arguments, result);
        if (isClose(method)) {
            isClosed = true;
            wrappers.forget(target);
        }
        if (method.getName().equals("poll") && !result.equals(0)) {
            armedFor = ""; // a completion has fired the event
        }
        if (target instanceof SendRequest || target instanceof ReceiveRequest) {
            note.record(method.getName(), arguments);
        }
        recordEvents(method, result);
        return result == target ? proxy : isAttachment(method) ? result : wrappers.wrap(result);
    }

    private Object ofObject(Method method, Object[] arguments) throws Throwable {
        return pass(method, arguments.length == 0 ? arguments : new Object[] {wrappers.unwrap(arguments[0])});
    }

    private Object call(Object proxy, Method method, Object[] arguments, VerbRow verb) throws Throwable {
        try {
            // a default method calls other methods of the API, which are to be recorded
            if (target instanceof ConnectionManager && method.isDefault() && !isOverridden(method)) {
                return wrappers.unwrap(InvocationHandler.invokeDefault(proxy, method, arguments));
            }
            Object[] unwrapped = arguments;
            if (arguments.length > 0 && !isAttachment(method)) {
                unwrapped = (Object[]) wrappers.unwrap(arguments);
            }
            return pass(method, unwrapped);
        } catch (RuntimeException e) {
            recordEvents(method, null);
            if (verb != null) {
                recorder.write(
                        Kind.FAILURE,
                        verb.name(),
                        new Details().add("failed", e.getMessage(), "failed: " + e.getMessage()));
            }
            throw e;
        }
    }

    private Object pass(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private boolean isOverridden(Method method) throws NoSuchMethodException {
        return !target.getClass()
                .getMethod(method.getName(), method.getParameterTypes())
                .getDeclaringClass()
                .isInterface();
    }

    private void recordBefore(VerbRow verb, Object[] arguments) {
        if (verb == null || verb.when() != When.BEFORE && verb.when() != When.ONCE) {
            return;
        }
        if (verb.when() == When.ONCE) {
            String kind = Arrays.toString(arguments);
            if (kind.equals(armedFor)) {
                return;
            }
            armedFor = kind;
        }
        List<TracedObject> requests = requests(arguments);
        if (requests.isEmpty()) {
            record(Kind.CALL, verb, new TracedCall(wrappers, target, arguments, null));
        }
        for (int i = 0; i < requests.size(); i++) {
            recordPost(verb, requests.get(i), i + 1, requests.size());
        }
    }

    private void recordAfter(VerbRow verb, Object[] arguments, Object result) {
        if (verb == null) {
            return;
        }
        switch (verb.when()) {
            case AFTER -> record(Kind.CALL, verb, new TracedCall(wrappers, target, arguments, result));
            case FOUND -> recordFound(verb, arguments, result);
            case BEFORE -> recordFull(verb, arguments, result);
            case ONCE -> {}
        }
    }

    private void record(Kind kind, VerbRow verb, TracedCall call) {
        write(kind, verb, details -> verb.show().add(details, call));
    }

    private void write(Kind kind, VerbRow verb, Consumer<Details> show) {
        Details details = new Details();
        try {
            show.accept(details);
        } catch (RuntimeException e) {
            // a wrong argument, such as null, is for the provider to refuse
            details.say("(" + e + ")");
        }
        recorder.write(kind, verb.name(), details);
    }

    private void recordFound(VerbRow verb, Object[] arguments, Object result) {
        if (result instanceof CompletionQueue queue) {
            Wrappers.traced(wrappers.wrap(queue)).armedFor = "";
        }
        if (result != null && !result.equals(0)) {
            record(Kind.EVENT, verb, new TracedCall(wrappers, target, arguments, result));
        }
    }

    // ---- posting ----

    private static List<TracedObject> requests(Object[] arguments) {
        Object first = arguments.length == 0 ? null : arguments[0];
        List<?> all = first instanceof List<?> list ? list : first == null ? List.of() : List.of(first);
        return all.stream()
                .filter(one -> one instanceof SendRequest || one instanceof ReceiveRequest)
                .map(Wrappers::traced)
                .toList();
    }

    private void recordPost(VerbRow verb, TracedObject request, int number, int chain) {
        write(Kind.CALL, verb, details -> {
            describePost(details, request);
            if (chain > 1) {
                details.add("chain", number, "chained " + number + " of " + chain);
            }
        });
    }

    private void describePost(Details details, TracedObject request) {
        String name = wrappers.name(target);
        if (target instanceof QueuePair qp) {
            details.add("qp", qp.number(), name);
        } else {
            details.add("srq", name, name);
        }
        if (request.target instanceof SendRequest) {
            request.note.describeSend(details);
        } else {
            request.note.describeReceive(details);
        }
    }

    /// A full queue is no failure, but must be recorded.
    private void recordFull(VerbRow verb, Object[] arguments, Object result) {
        List<TracedObject> requests = requests(arguments);
        int taken = result instanceof Integer count ? count : Boolean.FALSE.equals(result) ? 0 : requests.size();
        if (taken < requests.size()) {
            Details details = new Details();
            details.add(
                    "not_posted",
                    requests.size() - taken,
                    "queue full: wr_id " + requests.get(taken).note.wrId());
            if (requests.size() - taken > 1) {
                details.say("and those after it");
            }
            recorder.write(Kind.FAILURE, verb.name(), details.say("not posted"));
        }
    }

    // ---- events ----

    private void recordEvents(Method method, Object result) {
        switch (result) {
            case CmEvent event when target instanceof ConnectionId -> recordIfNew(event);
            case CmEvent event -> recorder.event(event, wrappers);
            case ConnectionId request -> Wrappers.traced(wrappers.wrap(request)).recordLastEvent();
            case null, default -> {
                if (WAITING.contains(method.getName())) {
                    recordLastEvent();
                }
            }
        }
    }

    /// A synchronous id waits for its events inside its calls; they are recorded when the call returns.
    private void recordLastEvent() {
        if (target instanceof ConnectionId id && !isClosed && id.channel() == null) {
            recordIfNew(id.event());
        }
    }

    private void recordIfNew(CmEvent event) {
        CmEvent last = lastEvent;
        if (event != null && (last == null || last.type() != event.type() || last.status() != event.status())) {
            lastEvent = event;
            if (event.id() == target) {
                recorder.event(event, wrappers);
            }
        }
    }

    private static boolean isClose(Method method) {
        return method.getName().equals("close") || method.getName().equals("closeAll");
    }

    /// Attachments are the program's own objects, of any type.
    private static boolean isAttachment(Method method) {
        return method.getName().equals("attachment");
    }
}
