package io.verbena.rdmacore.cm;

import io.verbena.verbs.cm.ConnectionOption;
import java.util.EnumMap;
import java.util.Map;

/// How librdmacm knows an option: its number among `RDMA_OPTION_ID_*` and the size of its value.
record LibraryOption(int number, int bytes) {
    private static final Map<ConnectionOption, LibraryOption> ROWS = new EnumMap<>(Map.of(
            ConnectionOption.TYPE_OF_SERVICE, new LibraryOption(0, 1),
            ConnectionOption.REUSE_ADDRESS, new LibraryOption(1, 4),
            ConnectionOption.IPV6_ONLY, new LibraryOption(2, 4),
            ConnectionOption.ACK_TIMEOUT, new LibraryOption(3, 1)));

    /// Null when librdmacm does not know the option and this module implements it.
    static LibraryOption of(ConnectionOption option) {
        return ROWS.get(option);
    }
}
