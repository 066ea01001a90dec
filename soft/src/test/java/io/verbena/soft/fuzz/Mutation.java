package io.verbena.soft.fuzz;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Takes a good input and does a few of the things to it that find mistakes: odd numbers in odd places, bytes
/// gone, bytes twice, the end of another input.
final class Mutation {
    private static final long[] ODD_NUMBERS = {
        0, 1, 2, 3, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000L, 0xFFFF_FFFFL, -1
    };

    private Mutation() {}

    static byte[] of(List<byte[]> corpus, Random random) {
        byte[] input = pick(corpus, random).clone();
        for (int steps = 1 + random.nextInt(4); steps > 0; steps--) {
            input = step(input, corpus, random);
        }
        return input;
    }

    private static byte[] pick(List<byte[]> corpus, Random random) {
        return corpus.get(random.nextInt(corpus.size()));
    }

    private static byte[] step(byte[] input, List<byte[]> corpus, Random random) {
        if (input.length == 0) {
            return pick(corpus, random).clone();
        }
        int at = random.nextInt(input.length);
        return switch (random.nextInt(8)) {
            case 0 -> {
                input[at] ^= (byte) (1 << random.nextInt(8));
                yield input;
            }
            case 1 -> {
                input[at] = (byte) random.nextInt();
                yield input;
            }
            case 2, 3 -> number(input, at, random);
            case 4 -> Arrays.copyOf(input, at);
            case 5 -> Arrays.copyOf(input, input.length + random.nextInt(64));
            case 6 -> {
                byte[] other = pick(corpus, random);
                int from = Math.min(at, other.length);
                byte[] spliced = Arrays.copyOf(input, at + other.length - from);
                System.arraycopy(other, from, spliced, at, other.length - from);
                yield spliced;
            }
            default -> {
                int length = Math.min(random.nextInt(1, 32), input.length - at);
                int from = random.nextInt(input.length - length + 1);
                System.arraycopy(input.clone(), from, input, at, length);
                yield input;
            }
        };
    }

    private static byte[] number(byte[] input, int at, Random random) {
        long odd = ODD_NUMBERS[random.nextInt(ODD_NUMBERS.length)];
        ByteBuffer buffer = ByteBuffer.wrap(input);
        int bytes = 1 << random.nextInt(4);
        int from = Math.min(at, Math.max(0, input.length - bytes));
        switch (Math.min(bytes, input.length)) {
            case 8 -> buffer.putLong(from, odd);
            case 4 -> buffer.putInt(from, (int) odd);
            case 2 -> buffer.putShort(from, (short) odd);
            default -> buffer.put(from, (byte) odd);
        }
        return input;
    }
}
