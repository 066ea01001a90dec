package io.verbena.soft.local;

/// A completion queue's place in its device's page: where neighbours see whether somebody looks at its lanes. From any
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

    /// Changes when something was put into a lane that is not looked at each time.
    public long news() {
        return page.news(newsAt);
    }

    /// Whether neighbours ring the bell when they put something into a lane.
    public boolean isAsleep() {
        return asleep;
    }

    void fallAsleep() {
        asleep = true;
        page.asleep(asleepAt, true);
    }

    /// Somebody looks at the lanes from now on.
    public void wakeUp() {
        if (asleep) {
            asleep = false;
            page.asleep(asleepAt, false);
        }
    }
}
