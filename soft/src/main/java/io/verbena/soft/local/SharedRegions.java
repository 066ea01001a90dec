package io.verbena.soft.local;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The regions of a device that neighbours can map. Each shard of the device has a page of its own, and all pages show
/// the same regions in the same slots. Safe from any thread.
public final class SharedRegions {
    /// A region as the pages show it.
    private record Published(
            SharedRegion region, long registration, int key, int access, long address, long length, int domain) {
        void showOn(DevicePage page) {
            page.publishRegion(registration, key, access, address, length, region.shared(), domain);
        }
    }

    private final List<DevicePage> pages = new ArrayList<>();
    /// By slot.
    private final Map<Integer, Published> published = new HashMap<>();

    private long registrations;

    /// A page of another shard, which shows from now on what the others show.
    synchronized void add(DevicePage page) {
        pages.add(page);
        published.values().forEach(shown -> shown.showOn(page));
    }

    synchronized void remove(DevicePage page) {
        pages.remove(page);
    }

    /// Opens a region to direct access of neighbours, unless another one has its slot.
    public synchronized void publish(SharedRegion region, int key, int access, long address, long length, int domain) {
        Published shown = new Published(region, ++registrations, key, access, address, length, domain);
        if (published.putIfAbsent(DeviceLayout.regionSlot(key), shown) == null) {
            pages.forEach(shown::showOn);
            region.onPublished(key, shown.registration);
        }
    }

    /// Closes a region to new direct accesses; [LocalDevice#awaitNeighbours] waits for those under way.
    public synchronized void withdraw(SharedRegion region) {
        if (region.registration() != 0) {
            published.remove(region.slot());
            pages.forEach(page -> page.withdrawRegion(region.key()));
            region.onPublished(region.key(), 0);
        }
    }
}
