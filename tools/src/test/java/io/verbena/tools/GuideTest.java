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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The guide shows what its programs print, and leaves nothing of the course out.
class GuideTest {
    private static final String RUN = "./verbena run docs/guide/";

    /// What the course and the notes on the example programs name.
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

    /// Programs of the guide, with the lines that the guide shows behind the command that runs them.
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
    void shouldPrintWhatTheGuideShows(Map.Entry<String, List<String>> program) throws Exception {
        SourceRun run = SourceRun.start("docs/guide/" + program.getKey(), LoopbackAddress.any());
        SourceRun.Ended ended = run.end();
        assertEquals(0, ended.code(), ended.output());
        assertEquals(numberless(String.join("\n", program.getValue()) + "\n"), numberless(ended.output()));
    }

    /// Queue pair numbers differ each time.
    private static String numberless(String output) {
        return output.replaceAll("0x\\p{XDigit}+", "0x");
    }

    @Test
    void shouldShowEveryProgramOfItsFolder() throws IOException {
        List<String> shown = programs().map(Map.Entry::getKey).toList();
        try (Stream<Path> files = Files.list(folder())) {
            List<String> there = files.map(file -> file.getFileName().toString())
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
        assertEquals(12, chapters.size());
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

    private static List<Page> chapters() throws IOException {
        return Page.all().stream()
                .filter(page -> page.file().getParent().equals(folder()))
                .toList();
    }

    private static Path folder() {
        return DocumentsTest.root().resolve("docs/guide");
    }
}
