package io.verbena.tools.view;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.report.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/// What a page carries.
final class PageContent {
    private PageContent() {}

    static Map<?, ?> description(Path page) throws IOException {
        Matcher data = Pattern.compile("id=\"data\">([^<]*)<").matcher(Files.readString(page));
        assertTrue(data.find());
        byte[] packed = Base64.getDecoder().decode(data.group(1));
        byte[] bytes = new GZIPInputStream(new ByteArrayInputStream(packed)).readAllBytes();
        int length = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt();
        return (Map<?, ?>) Json.read(new String(bytes, 4, length, StandardCharsets.UTF_8));
    }

    /// The titles of its findings.
    static List<String> titles(Path page) throws IOException {
        return ((List<?>) description(page).get("findings"))
                .stream()
                        .map(each -> String.valueOf(((Map<?, ?>) each).get("title")))
                        .toList();
    }
}
