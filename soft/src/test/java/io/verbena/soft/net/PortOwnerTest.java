package io.verbena.soft.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.shard.SocketOpener.Bound;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortOwnerTest {
    private static final String TABLE = """
               sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
              300: %s:12B7 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 1234 2 0000000000000000 0
            """;

    private final InetAddress local = Loopback.address("127.0.0.2");

    @TempDir
    Path root;

    @BeforeEach
    void makeTable() throws IOException {
        Files.createDirectories(root.resolve("proc/net"));
    }

    @Test
    void shouldNameProcessOnSameAddress() throws IOException {
        table("0200007F");
        loadModule();
        assertEquals(PortOwner.ONE_ADDRESS, PortOwner.find(local, root));
        String text = PortOwner.ONE_ADDRESS.explain(local, root);
        assertTrue(text.contains("UDP port 4791 of 127.0.0.2 is taken by another Verbena process or program"), text);
        assertTrue(text.contains("another loopback address, such as 127.0.0.3"), text);
        assertTrue(text.contains("`ss -lunp sport = :4791` shows it"), text);
    }

    @Test
    void shouldNameTheProgramThatHoldsTheAddressWhenItsDescriptorsCanBeSeen() throws IOException {
        table("0200007F");
        process("java", "/jdk/bin/java", "-p", "app", "-m", "io.verbena.tools/io.verbena.tools.Main", "ping");
        String text = PortOwner.ONE_ADDRESS.explain(local, root);
        assertTrue(text.contains("127.0.0.2 is taken by process 4711 (io.verbena.tools.Main ping); stop it, or"), text);
        process("java", "/jdk/bin/java", "--add-modules", "ALL-MODULE-PATH", "examples/Hello.java");
        text = PortOwner.ONE_ADDRESS.explain(local, root);
        assertTrue(text.contains("process 4711 (examples/Hello.java)"), text);
        process("capture", "capture");
        text = PortOwner.ONE_ADDRESS.explain(local, root);
        assertTrue(text.contains("process 4711 (capture)"), text);
    }

    @Test
    void shouldNameKernelWhenAllAddressesAreTakenAndModuleIsLoaded() throws IOException {
        table("00000000");
        loadModule();
        assertEquals(PortOwner.KERNEL, PortOwner.find(local, root));
        assertTrue(PortOwner.KERNEL.explain(local).contains("another network namespace, or unload it"));
    }

    @Test
    void shouldNameProgramWhenAllAddressesAreTaken() throws IOException {
        table("00000000");
        assertEquals(PortOwner.ALL_ADDRESSES, PortOwner.find(local, root));
        process("capture", "capture");
        String text = PortOwner.ALL_ADDRESSES.explain(local, root);
        assertTrue(text.contains("of all addresses is taken by process 4711 (capture); stop it, or run in"), text);
    }

    @Test
    void shouldKnowIpv6Table() throws IOException {
        Files.writeString(root.resolve("proc/net/udp6"), TABLE.formatted("00000000000000000000000001000000"));
        assertEquals(PortOwner.ONE_ADDRESS, PortOwner.find(Loopback.address("::1"), root));
        assertEquals(PortOwner.UNKNOWN, PortOwner.find(local, root));
    }

    @Test
    void shouldKnowTheSocketsOfOtherUsers() throws IOException {
        assertEquals(Bound.AT_MOST_ONE, PortOwner.bound(local, 0, root));
        table("0200007F");
        assertEquals(Bound.AT_MOST_ONE, PortOwner.bound(local, 0, root));
        assertEquals(Bound.BY_ANOTHER_USER, PortOwner.bound(local, 1000, root));
        assertEquals(Bound.AT_MOST_ONE, PortOwner.bound(Loopback.address("127.0.0.3"), 1000, root));
        String row = TABLE.formatted("0200007F");
        Files.writeString(root.resolve("proc/net/udp"), row + row);
        assertEquals(Bound.SEVERAL, PortOwner.bound(local, 0, root));
    }

    @Test
    void shouldSayAllThatMayBeWhenNothingIsKnown() {
        assertEquals(PortOwner.UNKNOWN, PortOwner.find(local, root));
        String text = PortOwner.UNKNOWN.explain(Loopback.address("192.0.2.1"));
        assertTrue(text.contains("use another address of this host"), text);
    }

    private void table(String address) throws IOException {
        Files.writeString(root.resolve("proc/net/udp"), TABLE.formatted(address));
    }

    /// One that has the socket of the table open.
    private void process(String name, String... words) throws IOException {
        Path folder = root.resolve("proc/4711");
        Files.createDirectories(folder.resolve("fd"));
        Files.writeString(folder.resolve("comm"), name + "\n");
        Files.writeString(folder.resolve("cmdline"), String.join("\0", words) + "\0");
        if (!Files.exists(folder.resolve("fd/5"), LinkOption.NOFOLLOW_LINKS)) {
            Files.createSymbolicLink(folder.resolve("fd/5"), Path.of("socket:[1234]"));
        }
    }

    private void loadModule() throws IOException {
        Files.createDirectories(root.resolve("sys/module/rdma_rxe"));
    }
}
