package io.verbena.soft.local;

/// A completion queue's slot in its device page, which tells neighbours whether a thread polls its lanes. From any
/// thread.
public final class QueueSlot {
    private final DevicePage page;
    private final int index;
    private final long asleepAt;
    private final long newsAt;
    private volatile boolean asleep;

    QueueSlot(DevicePage page, int index) {
        this.page = page;
        this.index = index;
        this.asleepAt = DeviceLayout.queueAt(index) + DeviceLayout.ASLEEP;
        this.newsAt = DeviceLayout.queueAt(index) + DeviceLayout.NEWS;
    }

    public int index() {
        return index;
    }

    /// Changes when a neighbour has written to a quiet lane.
    public long news() {
        return page.news(newsAt);
    }

    /// Whether neighbours ring the bell after writing to a lane.
    public boolean isAsleep() {
        return asleep;
    }

    void fallAsleep() {
        asleep = true;
        page.asleep(asleepAt, true);
    }

    /// From now on a thread polls the lanes.
    public void wakeUp() {
        if (asleep) {
            asleep = false;
            page.asleep(asleepAt, false);
        }
    }
}
