package io.verbena.soft.engine;

import java.util.Arrays;
import java.util.function.Consumer;

/// The armed timers of a device, a binary heap. Moving a deadline into the future is the common case: every
/// acknowledgement does it. It costs one store, because the entry moves in the heap only when its old deadline is
/// reached.
public final class Timers {
    /// The result of [#untilNextNs] when no timer is armed.
    public static final long NEVER_NS = Long.MAX_VALUE >> 1;

    private Timer[] heap = new Timer[16];
    private int size;

    public void arm(Timer timer, long deadlineNs) {
        timer.deadlineNs = deadlineNs;
        if (timer.heapIndex < 0) {
            if (size == heap.length) {
                heap = Arrays.copyOf(heap, size * 2);
            }
            timer.heapKeyNs = deadlineNs;
            place(timer, size++);
            up(timer.heapIndex);
        } else if (deadlineNs - timer.heapKeyNs < 0) {
            timer.heapKeyNs = deadlineNs;
            up(timer.heapIndex);
        }
    }

    public void cancel(Timer timer) {
        int i = timer.heapIndex;
        if (i < 0) {
            return;
        }
        timer.heapIndex = -1;
        Timer last = heap[--size];
        heap[size] = null;
        if (last != timer) {
            place(last, i);
            up(i);
            down(last.heapIndex);
        }
    }

    /// Runs expired timers. A timer is disarmed before it runs and may arm itself again.
    ///
    /// @param onFault takes the exception of a timer; the other timers still run
    public int expire(long nowNs, Consumer<RuntimeException> onFault) {
        int expired = 0;
        while (size > 0 && heap[0].heapKeyNs - nowNs <= 0) {
            Timer timer = heap[0];
            if (timer.deadlineNs - nowNs > 0) {
                timer.heapKeyNs = timer.deadlineNs;
                down(0);
            } else {
                cancel(timer);
                try {
                    timer.onExpiry(nowNs);
                } catch (RuntimeException e) {
                    onFault.accept(e);
                }
                expired++;
            }
        }
        return expired;
    }

    /// A lower bound of the time until the next timer expires: 0 when one has expired, [#NEVER_NS] when none is armed.
    public long untilNextNs(long nowNs) {
        return size == 0 ? NEVER_NS : Math.max(0, heap[0].heapKeyNs - nowNs);
    }

    public int size() {
        return size;
    }

    private void place(Timer timer, int i) {
        heap[i] = timer;
        timer.heapIndex = i;
    }

    private void up(int i) {
        Timer timer = heap[i];
        while (i > 0) {
            int parent = (i - 1) >>> 1;
            if (heap[parent].heapKeyNs - timer.heapKeyNs <= 0) {
                break;
            }
            place(heap[parent], i);
            i = parent;
        }
        place(timer, i);
    }

    private void down(int i) {
        Timer timer = heap[i];
        while (true) {
            int child = 2 * i + 1;
            if (child >= size) {
                break;
            }
            if (child + 1 < size && heap[child + 1].heapKeyNs - heap[child].heapKeyNs < 0) {
                child++;
            }
            if (timer.heapKeyNs - heap[child].heapKeyNs <= 0) {
                break;
            }
            place(heap[child], i);
            i = child;
        }
        place(timer, i);
    }
}
