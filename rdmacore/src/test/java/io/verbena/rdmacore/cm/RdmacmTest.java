package io.verbena.rdmacore.cm;

import io.verbena.rdmacore.lib.Libraries;
import io.verbena.rdmacore.lib.LibraryCallsTest;
import org.junit.jupiter.api.Test;

class RdmacmTest {
    @Test
    void shouldFindEveryFunctionOfLibrdmacm() {
        LibraryCallsTest.requireAll(Libraries.RDMACM, Rdmacm.class);
    }
}
