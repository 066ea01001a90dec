package io.verbena.soft.net;

import io.verbena.soft.option.Offload;
import io.verbena.soft.os.UnixSocket;
import java.io.IOException;
import java.net.InetAddress;

/// A process that has an address open (`AddressHolder wire ADDRESS`), or the name of a Unix socket
/// (`AddressHolder name NAME`), until its input ends.
final class AddressHolder {
    private AddressHolder() {}

    public static void main(String[] words) throws IOException {
        try (AutoCloseable _ = words[0].equals("wire")
                ? new LinuxWire(InetAddress.ofLiteral(words[1]), 4096, Offload.ALL)
                : UnixSocket.listen(words[1])) {
            System.out.println("open");
            while (System.in.read() >= 0) {}
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
