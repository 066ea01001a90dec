package io.verbena.soft.fuzz;

import io.verbena.roce.dump.MalformedPacketException;
import io.verbena.roce.dump.PacketText;
import io.verbena.roce.dump.PcapFormatException;
import io.verbena.roce.dump.PcapReader;
import io.verbena.roce.dump.PcapRecord;
import io.verbena.roce.dump.RocePacket;
import io.verbena.roce.mad.CmMessage;
import io.verbena.roce.mad.CmReq;
import io.verbena.roce.mad.CmSidrReq;
import io.verbena.roce.mad.CmaHeader;
import io.verbena.roce.mad.MalformedMadException;
import io.verbena.roce.packet.Icrc;
import io.verbena.soft.fault.FaultPlan;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Everything that reads bytes or text of others: it reads them, or says what is wrong with the one exception
/// it documents.
public final class DecodeFuzz {
    private DecodeFuzz() {}

    /// For Jazzer: the first byte says what the others are.
    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        if (input.length == 0) {
            return;
        }
        byte[] rest = Arrays.copyOfRange(input, 1, input.length);
        switch (input[0] & 3) {
            case 0 -> packet(rest);
            case 1 -> mad(rest);
            case 2 -> captureFile(rest);
            default -> faultPlan(rest);
        }
    }

    static void packet(byte[] ipPacket) {
        PacketText.line(ipPacket);
        PacketText.full(ipPacket);
        MemorySegment bytes = MemorySegment.ofArray(ipPacket);
        PacketText.full(bytes, 0, ipPacket.length);
        try {
            RocePacket packet = RocePacket.of(ipPacket);
            require(packet.transportAt() <= ipPacket.length, "BTH behind the end");
            Icrc.ofPacket(ipPacket);
        } catch (MalformedPacketException expected) {
            return;
        }
    }

    static void mad(byte[] bytes) {
        CmMessage message;
        try {
            message = CmMessage.decode(MemorySegment.ofArray(bytes), 0);
        } catch (MalformedMadException expected) {
            return;
        }
        message.fields();
        CmMessage again = CmMessage.decode(MemorySegment.ofArray(message.toBytes()), 0);
        require(message.equals(again), "decoding what was encoded gives " + again + ", not " + message);
        require(message.hashCode() == again.hashCode(), "hash codes of equal messages differ");
        if (message instanceof CmReq || message instanceof CmSidrReq) {
            try {
                CmaHeader header = CmaHeader.decode(message.privateData().toBytes());
                require(header.equals(CmaHeader.decode(header.encode())), "CMA header changed by encoding");
            } catch (MalformedMadException expected) {
                return;
            }
        }
    }

    static void captureFile(byte[] file) throws IOException {
        try (PcapReader reader = new PcapReader(new ByteArrayInputStream(file))) {
            for (PcapRecord next = reader.next(); next != null; next = reader.next()) {
                packet(next.ipPacket());
            }
        } catch (PcapFormatException expected) {
            return;
        }
    }

    static void faultPlan(byte[] text) {
        FaultPlan plan;
        try {
            plan = FaultPlan.parse(new String(text, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException expected) {
            require(expected.getMessage() != null, "no reason given");
            return;
        }
        require(plan.equals(FaultPlan.parse(plan.toString())), "another plan after printing: " + plan);
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}
