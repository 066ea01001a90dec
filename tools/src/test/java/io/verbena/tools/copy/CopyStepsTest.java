package io.verbena.tools.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.verbena.tools.LoopbackAddress;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.ProgramOptions;
import io.verbena.tools.program.RawPeer;
import io.verbena.tools.program.Result;
import io.verbena.verbs.RemoteBuffer;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.cm.ConnectionId;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// The client's steps one by one, with something happening to the server's memory in between.
@Timeout(60)
class CopyStepsTest {
    @Command(name = "copy")
    private static final class Options {
        @Mixin
        private ProgramOptions options;
    }

    private static ProgramOptions options(String... arguments) {
        var holder = new Options();
        new CommandLine(holder).setOut(new PrintWriter(new StringWriter())).parseArgs(arguments);
        return holder.options;
    }

    @Test
    void shouldNameTheByteThatCameBackWrong() throws Exception {
        String address = LoopbackAddress.any();
        try (ConnectionId listener = RawPeer.listen(address, CopyCommand.PORT);
                var client =
                        new CopyClient(options(address, "--device", LoopbackAddress.any()), new Result("client"))) {
            client.prepare(CopyPayload.ofText("Hello, memory"));
            var connected = CompletableFuture.runAsync(client::connect);
            try (var server = RawPeer.next(listener)) {
                server.receive(0, BufferAttributes.BYTES);
                BufferAttributes.write(
                        server.region().memory().asSlice(64, BufferAttributes.BYTES),
                        new RemoteBuffer(
                                server.region().address() + 4096,
                                13,
                                server.region().rkey()));
                server.accept(CopyConnection.PARAMETERS);
                connected.get();
                server.send(64, BufferAttributes.BYTES);
                client.exchangeAttributes();
                server.await(CompletionOpcode.RECEIVE);
                client.write();
                server.region().memory().set(ValueLayout.JAVA_BYTE, 4096 + 7, (byte) 'M');
                client.readBack();
                var wrong = assertThrows(ProgramException.class, client::compare);
                assertEquals("the copy is wrong: byte 7 of 13 came back as 0x4d, not 0x6d", wrong.getMessage());
            }
        }
    }
}
