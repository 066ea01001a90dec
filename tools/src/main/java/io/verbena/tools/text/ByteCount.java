package io.verbena.tools.text;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads `4096`, `64k`, `1m`, `2g`.
public final class ByteCount implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
        String lower = text.strip().toLowerCase(Locale.ROOT);
        int unit = lower.isEmpty() ? -1 : "kmg".indexOf(lower.charAt(lower.length() - 1));
        String digits = unit < 0 ? lower : lower.substring(0, lower.length() - 1);
        try {
            return Math.multiplyExact(Long.parseLong(digits), 1L << 10 * (unit + 1));
        } catch (NumberFormatException | ArithmeticException e) {
            throw new TypeConversionException(
                    "'" + text + "' is no number of bytes; write it like 4096, 64k, 1m or 2g");
        }
    }

    /// For sizes below 2 GiB.
    public static final class Small implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            long bytes = new ByteCount().convert(text);
            if (bytes != (int) bytes) {
                throw new TypeConversionException("'" + text + "' is too much; less than 2g is possible");
            }
            return (int) bytes;
        }
    }
}
