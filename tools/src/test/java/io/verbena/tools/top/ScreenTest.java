package io.verbena.tools.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.status.ConnectionPath;
import io.verbena.soft.status.ConnectionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the screen shows for which keys.
class ScreenTest {
    private static final String CHOSEN = "\u001b[7m";

    private final ViewState state = new ViewState(new Selection(Column.QP, false, ""));
    private final Snapshot snapshot = MadeUpProcess.snapshot(IntStream.range(1, 100)
            .mapToObj(n -> MadeUpProcess.connection(
                    n, n % 2 == 0 ? ConnectionPath.UDP : ConnectionPath.SHARED_MEMORY, QueuePairState.RTS, n, 1, n))
            .toArray(ConnectionStatus[]::new));

    private List<String> draw(int rows, int columns) {
        state.update(snapshot.connections());
        return Screen.draw(state, snapshot, rows, columns);
    }

    private String text() {
        return String.join("\n", draw(40, 150));
    }

    private String chosen() {
        return draw(40, 150).stream()
                .filter(line -> line.startsWith(CHOSEN))
                .findFirst()
                .orElse("");
    }

    private void press(String... keys) {
        for (String key : keys) {
            state.onKey(key);
        }
    }

    @ParameterizedTest
    @CsvSource({"24, 80", "5, 20", "1, 1", "60, 250", "12, 40"})
    void shouldFitEveryPageIntoEverySize(int rows, int columns) {
        for (String key : new String[] {"", "tab", "tab", "tab", "h", "h", "enter", "escape", "/"}) {
            press(key);
            List<String> lines = draw(rows, columns);
            assertEquals(Math.max(rows, 5), lines.size(), "after " + key);
            for (String line : lines) {
                int width = line.replaceAll("\u001b\\[\\d*m", "").length();
                assertTrue(width <= Math.max(columns, 20), "after " + key + ": " + line);
            }
        }
    }

    @Test
    void shouldShowProcessesAndConnections() {
        assertTrue(text().contains("1 process, 1 device, 99 connections"), text());
        assertTrue(text().contains("listens on 0.0.0.0:7471"), text());
        assertTrue(text().contains("10.0.0.1:40001"), text());
    }

    @Test
    void shouldKeepTheChosenRowInSight() {
        draw(40, 150);
        press("end");
        assertTrue(chosen().contains("0x000063"), chosen());
        press("up", "up");
        assertTrue(chosen().contains("0x000061"), chosen());
        press("home");
        assertTrue(chosen().contains("0x000001"), chosen());
        press("up");
        assertTrue(chosen().contains("0x000001"), chosen());
        press("pagedown", "down");
        assertTrue(chosen().contains("0x00000c"), chosen());
    }

    @Test
    void shouldKeepTheChosenConnectionWhenTheOrderChanges() {
        draw(40, 150);
        press("down", "down", "r");
        assertTrue(chosen().contains("0x000003"), chosen());
        assertTrue(text().contains("QP (reversed)"), text());
    }

    @Test
    void shouldFilterWhileTyping() {
        draw(40, 150);
        press("/", "u", "d", "q", "backspace", "p");
        assertTrue(text().contains("filter: udp_"), text());
        assertTrue(text().contains("0x000002") && !text().contains("0x000003"), text());
        assertTrue(text().contains("49 of 99 connections match 'udp'"), text());
        press("x");
        assertTrue(text().contains("0 of 99 connections match 'udpx'"), text());
        assertTrue(text().contains("none matches the filter; Esc shows all connections"), text());
        press("backspace", "enter", "s");
        assertTrue(text().contains("sort PEER"), text());
        press("escape");
        assertTrue(text().contains("0x000003"), text());
        assertTrue(text().contains(", 99 connections  sort"), text());
        assertFalse(state.isEnded());
        press("q");
        assertTrue(state.isEnded());
    }

    @Test
    void shouldShowAllAboutTheChosenConnection() {
        draw(40, 150);
        press("down", "enter");
        String details = text();
        assertTrue(details.contains("10.0.0.2:40002"), details);
        assertTrue(details.contains("1 of 16 requests"), details);
        assertTrue(details.contains("2 from the peer, 0 to the peer"), details);
        assertTrue(details.contains("The oldest request has waited for 1.0s"), details);
        assertTrue(details.contains("were sent again"), details);
        press("escape");
        assertTrue(chosen().contains("0x000002"), chosen());
    }

    @Test
    void shouldSayWhenTheShownConnectionHasEnded() {
        draw(40, 150);
        press("enter");
        state.update(List.of());
        assertTrue(String.join("\n", Screen.draw(state, snapshot, 40, 150)).contains("has ended"));
    }

    @Test
    void shouldNotLetNamesControlTheTerminal() {
        assertEquals("a?[31mb?", TextTable.printable("a\u001b[31mb\n"));
        assertEquals("?31m", TextTable.printable("\u009b31m"), "8-bit control sequences");
        assertEquals("a?txt?", TextTable.printable("a\u202etxt\u2028"), "the direction of writing, lines");
        assertEquals("größe 漢 \ud83d\ude00", TextTable.printable("größe 漢 \ud83d\ude00"));
    }

    @Test
    void shouldSayThatThereIsNothing() {
        Snapshot empty = new Snapshot(0, List.of(), List.of(), List.of());
        state.update(List.of());
        assertTrue(String.join("\n", Screen.draw(state, empty, 24, 80)).contains("no process of this user"));
    }
}
