package io.verbena.soft.mem;

/// The slot of one region or window in the [MemoryTable], until it is closed: its present key, and the bindings. Only
/// the table changes it, under its lock. Keys themselves never change.
public final class KeySlot {
    /// The window of this slot; null for a region.
    private final BindableWindow window;
    /// Null before it is added. Volatile, so that the region or window can return its value without the table's lock.
    private volatile MemoryKey key;
    /// Of a bound window: the region it is bound to.
    private KeySlot region;
    /// Of a region: how many windows are bound to it.
    private int windows;

    public KeySlot(BindableWindow window) {
        this.window = window;
    }

    BindableWindow window() {
        return window;
    }

    boolean isWindow() {
        return window != null;
    }

    public MemoryKey key() {
        return key;
    }

    void key(MemoryKey next) {
        key = next;
    }

    /// Under the table's lock.
    boolean hasWindows() {
        return windows > 0;
    }

    /// Sets the region that this window is bound to. Under the table's lock.
    ///
    /// @param next null for nothing
    void bindTo(KeySlot next) {
        if (region != null) {
            region.windows--;
        }
        region = next;
        if (next != null) {
            next.windows++;
        }
    }
}
