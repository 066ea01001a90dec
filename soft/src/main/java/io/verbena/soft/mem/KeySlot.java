package io.verbena.soft.mem;

/// The place of one region or window in the [MemoryTable], for as long as it lives: which key it has at present, and
/// what is bound to what. Only the table changes it, under the table's lock; keys themselves never change.
public final class KeySlot {
    /// The window this is the place of; null for a region's.
    private final BindableWindow window;
    /// Null before it is added. Volatile, so that the region or window can tell its value without the table's lock.
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

    /// Takes down what this window is bound to, instead of what it was bound to before. Under the table's lock.
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
