package io.verbena.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The guide shows the output of its programs, and covers all of the course.
@Tag("slow")
class GuideTest {
    private static final String RUN = "./verbena run ";
    private static final String TROUBLES = "docs/guide/Troubles.java";

    /// Which of them is printed is up to chance.
    private static final String OVERTAKEN = "overtaken: the SEND completed as wr_id 2 RECEIVE";

    private static final String NOT_OVERTAKEN = "overtaken: not this time, try again";

    /// Names from the course and from the notes on the example programs.
    private static final List<String> NAMES = List.of("""
            ibv_post_recv ibv_post_send rdma_create_qp rdma_destroy_qp ibv_create_cq ibv_poll_cq ibv_wc_status_str
            ibv_destroy_cq ibv_create_comp_channel ibv_destroy_comp_channel ibv_req_notify_cq ibv_get_cq_event
            ibv_ack_cq_events ibv_alloc_pd ibv_dealloc_pd ibv_reg_mr ibv_dereg_mr rdma_create_id rdma_destroy_id
            rdma_create_event_channel rdma_destroy_event_channel rdma_resolve_addr rdma_resolve_route rdma_connect
            rdma_disconnect rdma_bind_addr rdma_listen rdma_accept rdma_reject rdma_get_cm_event rdma_ack_cm_event
            rdma_event_str rdma_migrate_id rdma_get_local_addr rdma_get_peer_addr rdma_get_src_port rdma_get_devices
            rdma_free_devices ibv_query_device
            ibv_send_wr ibv_recv_wr ibv_sge ibv_qp ibv_qp_init_attr ibv_cq ibv_wc ibv_wc_status ibv_comp_channel ibv_pd
            ibv_mr ibv_context ibv_device ibv_device_attr rdma_cm_id rdma_cm_event rdma_conn_param rdma_event_channel
            rdma_buffer_attr stag lkey rkey
            IBV_WR_SEND IBV_WR_SEND_WITH_IMM IBV_WR_SEND_WITH_INV IBV_WR_RDMA_WRITE IBV_WR_RDMA_WRITE_WITH_IMM
            IBV_WR_RDMA_READ IBV_WR_ATOMIC_WRITE IBV_SEND_SIGNALED IBV_SEND_INLINE IBV_WC_SUCCESS IBV_WC_SEND
            IBV_WC_RECV IBV_WC_WR_FLUSH_ERR IBV_ACCESS_LOCAL_WRITE IBV_ACCESS_REMOTE_WRITE IBV_ACCESS_REMOTE_READ
            RDMA_PS_TCP private_data responder_resources initiator_depth retry_count rnr_retry_count
            ping-sr-0 ping-sr-1 ping-sr-2e ping-sr-2 ping-sr-3 ping-sr-4 blast-sr-2 blast-sr-2e devices rdma-example
            rping copy exchange blast pingpong perf
            InfiniBand iWARP RoCE HCA RNIC listener agent htonll solicited comp_vector
            """.strip().split("\\s+"));

    /// Commands that run a source file, with the lines that the guide shows behind them.
    static Stream<Map.Entry<String, List<String>>> programs() throws IOException {
        Map<String, List<String>> shown = new TreeMap<>();
        for (Page page : chapters()) {
            for (int i = 0; i < page.blocks().size(); i++) {
                String command = page.blocks().get(i).lines().getFirst();
                if (command.startsWith(RUN)) {
                    shown.put(
                            command.substring(RUN.length()),
                            page.blocks().get(i + 1).lines());
                }
            }
        }
        return shown.entrySet().stream();
    }

    @ParameterizedTest
    @MethodSource("programs")
    void shouldPrintWhatTheGuideShows(Map.Entry<String, List<String>> program, @TempDir Path folder) throws Exception {
        boolean example = program.getKey().startsWith("examples/");
        String address = LoopbackAddress.any();
        List<String> arguments = new ArrayList<>(example ? List.of("both", address) : List.of(address));
        if (program.getKey().equals(TROUBLES)) {
            arguments.add(folder.toString());
        }
        SourceRun.Ended ended = SourceRun.start(program.getKey(), arguments.toArray(String[]::new))
                .end();
        assertEquals(0, ended.code(), ended.output());
        String output =
                ended.output().replace(folder.toString(), "/tmp/troubles1").replace(NOT_OVERTAKEN, OVERTAKEN);
        Stream<String> shown = program.getValue().stream().map(PrintedText::pattern);
        Stream<String> printed = output.lines().map(PrintedText::pattern);
        // Examples have several processes or threads, whose lines come in any order.
        assertEquals((example ? shown.sorted() : shown).toList(), (example ? printed.sorted() : printed).toList());
    }

    /// Code in the text is code that runs.
    @Test
    void shouldShowOnlyCodeOfItsPrograms() throws IOException {
        List<String> sources = new ArrayList<>();
        for (String folder : List.of("docs/guide", "examples")) {
            try (Stream<Path> files = Files.list(DocumentsTest.root().resolve(folder))) {
                for (Path file :
                        files.filter(name -> name.toString().endsWith(".java")).toList()) {
                    sources.add(withoutIndentation(Files.readAllLines(file)));
                }
            }
        }
        List<String> foreign = new ArrayList<>();
        for (Page page : chapters()) {
            for (Page.Block block : page.blocks()) {
                String code = withoutIndentation(block.lines());
                if (block.language().equals("java") && sources.stream().noneMatch(source -> source.contains(code))) {
                    foreign.add(page + ":\n" + code);
                }
            }
        }
        assertEquals(List.of(), foreign);
    }

    private static String withoutIndentation(List<String> lines) {
        return lines.stream().map(String::strip).collect(Collectors.joining("\n", "\n", "\n"));
    }

    @Test
    void shouldBeginEachChapterWithJava() throws IOException {
        for (Page page : chapters()) {
            if (!page.file().endsWith("README.md")) {
                assertEquals("java", page.blocks().getFirst().language(), page.toString());
            }
        }
    }

    @Test
    void shouldShowEveryProgramOfItsFolder() throws IOException {
        List<String> shown = programs()
                .map(Map.Entry::getKey)
                .filter(name -> name.startsWith("docs/guide/"))
                .toList();
        try (Stream<Path> files = Files.list(folder())) {
            List<String> there = files.map(file -> "docs/guide/" + file.getFileName())
                    .filter(name -> name.endsWith(".java"))
                    .sorted()
                    .toList();
            assertEquals(there, shown);
        }
    }

    @Test
    void shouldNameAllThatTheCourseNames() throws IOException {
        StringBuilder text = new StringBuilder();
        for (Page page : chapters()) {
            text.append(Files.readString(page.file()));
        }
        List<String> missing = new ArrayList<>();
        for (String name : NAMES) {
            if (!text.toString().matches("(?s).*\\b" + name + "\\b.*")) {
                missing.add(name);
            }
        }
        assertEquals(List.of(), missing);
    }

    @Test
    void shouldLeadFromEachChapterToTheNext() throws IOException {
        List<Page> chapters = chapters().stream()
                .filter(page -> !page.file().endsWith("README.md"))
                .toList();
        assertEquals(18, chapters.size());
        Page contents = Page.of(folder().resolve("README.md"));
        for (int i = 0; i < chapters.size(); i++) {
            String name = chapters.get(i).file().getFileName().toString();
            assertTrue(contents.links().contains(name), "the contents lack " + name);
            String last = chapters.get(i).links().getLast();
            String next = i + 1 < chapters.size()
                    ? chapters.get(i + 1).file().getFileName().toString()
                    : "README.md";
            assertEquals(next, last, "the last link of " + name);
        }
    }

    static List<Page> chapters() throws IOException {
        return Page.all().stream()
                .filter(page -> page.file().getParent().equals(folder()))
                .toList();
    }

    private static Path folder() {
        return DocumentsTest.root().resolve("docs/guide");
    }
}
