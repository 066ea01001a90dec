package io.verbena.endpoint;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Bytes that `docs/endpoint-protocol.md` shows, with what they mean.
///
/// @param what the sort of bytes, such as handshake
/// @param fields their names and values
record ProtocolVector(String what, Map<String, String> fields, byte[] bytes) {
    private static final Pattern BLOCK = Pattern.compile("```vector\n(\\w+)([^\n]*)\n([^`]*)```");
    private static final Pattern FIELD = Pattern.compile("(\\w+)=(\\S*)");

    /// All of the document.
    static List<ProtocolVector> all() throws IOException {
        List<ProtocolVector> vectors = new ArrayList<>();
        Matcher block = BLOCK.matcher(Files.readString(document()));
        while (block.find()) {
            Map<String, String> fields = new LinkedHashMap<>();
            Matcher field = FIELD.matcher(block.group(2));
            while (field.find()) {
                fields.put(field.group(1), field.group(2));
            }
            byte[] bytes = HexFormat.of().parseHex(block.group(3).replaceAll("\\s", ""));
            vectors.add(new ProtocolVector(block.group(1), fields, bytes));
        }
        return vectors;
    }

    /// The build runs tests in the folder of their module.
    private static Path document() {
        Path folder = new File("").toPath().toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/endpoint-protocol.md"))) {
            folder = folder.getParent();
        }
        return folder.resolve("docs/endpoint-protocol.md");
    }

    /// The value of a field; hexadecimal ones begin with 0x.
    long number(String field) {
        return Long.decode(fields.get(field));
    }

    int small(String field) {
        return (int) number(field);
    }

    byte[] text() {
        return fields.get("text").getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return what + " " + fields;
    }
}
