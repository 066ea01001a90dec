package io.verbena.tools.device;

import java.util.Iterator;
import java.util.List;

/// The names that shells complete after `--provider`.
public final class ProviderNames implements Iterable<String> {
    private ProviderNames() {}

    @Override
    public Iterator<String> iterator() {
        return List.of(DeviceOptions.SOFT, DeviceOptions.NATIVE_PROVIDER).iterator();
    }
}
