// A peer of Verbena's endpoints, in C with librdmacm and libibverbs alone. The protocol: docs/endpoint-protocol.md.
//
//   endpoint-peer client ADDRESS PORT OWN-ADDRESS    tries everything with a server that echoes
//   endpoint-peer server ADDRESS PORT                echoes, for one client
//
// Ends with 0 when everything was right, else says what was wrong. The other side is io.verbena.lab.peers.EndpointPeer.
#include <arpa/inet.h>
#include <endian.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MESSAGE = 1, REQUEST, REPLY, CREDITS, DONE, FIND, FOUND, NOT_FOUND, REVOKE, REVOKED, END }; // kinds
enum { LONG = 1, HAS_ALL = 4 };                                                                    // flags
enum { MAGIC = 0x56455054, VERSION = 1, OWN_CREDITS = 8, OWN_BYTES = 1024, OWN_LONGS = 1, RECEIVES = OWN_CREDITS + 8 + OWN_LONGS };
enum { MOST = 1 << 20, TABLE = 4096, SECONDS = 200, MOST_MS = 20000, MOMENT_MS = 500, REMOTE = IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC };

struct hello { uint32_t magic; uint8_t version, unused; uint16_t credits; uint32_t bytes; uint16_t longs, unused2; };
struct header { uint8_t kind, flags; uint16_t credits; uint32_t length; uint64_t number; };
struct announcement { uint64_t transfer, address, length; uint32_t key; } __attribute__((packed));
struct export { uint64_t address, length; uint32_t key, rights; uint64_t number; };

static struct rdma_cm_id *id, *listener;
static uint8_t received[RECEIVES][OWN_BYTES], sent[4096 + 16], in[MOST], out[MOST], table[TABLE] __attribute__((aligned(8)));
static struct ibv_mr *received_mr, *sent_mr, *in_mr, *out_mr, *table_mr;
static int inbox[RECEIVES], head, tail; // receives with messages that were not asked for yet
static int credits, owed, longest, announced, revoked, returns; static uint64_t transfers;
static struct header got; // the message that next() returned; its bytes are in `in`
static struct ibv_wc wc;  // the newest completion

#define CHECK(right, ...) do { if (!(right)) { printf("line %d, wrong: " #right ": ", __LINE__); printf(__VA_ARGS__); puts(""); exit(1); } } while (0)
#define CALL(call) CHECK((call) == 0, "%m")

static uint8_t pattern(int seed, int i) { return seed * 31 + i * 7 + i / 251; }
static void fill(uint8_t *to, int length, int seed) { for (int i = 0; i < length; i++) to[i] = pattern(seed, i); }

static void post_receive(int slot) { CALL(rdma_post_recv(id, (void *)(long)slot, received[slot], OWN_BYTES, received_mr)); }

// False when the time is over. A peer that has left says nothing more, so every wait has an end.
static int await(struct ibv_cq *cq, int ms) {
  int count = 0;
  for (int pauses = 0; (count = ibv_poll_cq(cq, 1, &wc)) == 0 && pauses < ms * 10; pauses++) usleep(100);
  return count == 1;
}

static void await_sent(void) {
  CHECK(await(id->send_cq, MOST_MS), "after %d ms: kind %d has no completion", MOST_MS, sent[0]);
  CHECK(wc.status == IBV_WC_SUCCESS, "%s", ibv_wc_status_str(wc.status));
}

static void read_remote(uint64_t length, uint64_t address, uint32_t key) {
  CALL(rdma_post_read(id, NULL, in, length, in_mr, IBV_SEND_SIGNALED, address, key));
  await_sent();
}

// Sends what fits a receive buffer of the peer, with the credits that are owed to it.
static void post_only(int kind, int flags, uint64_t number, const void *bytes, int length) {
  struct header header = {kind, flags, htobe16(owed), htobe32(length), htobe64(number)};
  owed = 0;
  memcpy(sent, &header, sizeof header), memcpy(sent + sizeof header, bytes, length);
  CALL(rdma_post_send(id, NULL, sent, sizeof header + length, sent_mr, IBV_SEND_SIGNALED));
}

static void post(int kind, int flags, uint64_t number, const void *bytes, int length) {
  post_only(kind, flags, number, bytes, length);
  await_sent();
}

// Waits for one message. Those of the protocol are handled; the others go to the inbox.
static void pump(void) {
  CHECK(await(id->recv_cq, MOST_MS), "after %d ms: no message, %d credits, %d announced", MOST_MS, credits, announced);
  CHECK(wc.status == IBV_WC_SUCCESS, "RECEIVE: %s", ibv_wc_status_str(wc.status));
  int slot = wc.wr_id; // sending below brings other completions
  struct header *header = (struct header *)received[slot];
  CHECK(wc.byte_len == sizeof *header + be32toh(header->length), "%u bytes", wc.byte_len);
  CHECK(header->kind >= MESSAGE && header->kind <= END, "%d", header->kind);
  credits += be16toh(header->credits);
  switch (header->kind) {
    case CREDITS: returns++; break;
    case DONE: CHECK(announced-- == 1 && be64toh(header->number) == transfers && !header->flags, "flags %d", header->flags); break;
    case REVOKE: revoked++; post(REVOKED, 0, be64toh(header->number), "", 0); break;
    default: inbox[tail++ % RECEIVES] = slot; return;
  }
  post_receive(slot);
}

// Takes the next message into `got` and `in`, reads it if it is long, and returns credits in time.
static int next(void) {
  while (head == tail) pump();
  int slot = inbox[head++ % RECEIVES];
  got = *(struct header *)received[slot];
  got.length = be32toh(got.length), got.number = be64toh(got.number);
  memcpy(in, received[slot] + sizeof got, got.length);
  post_receive(slot);
  if (got.flags & LONG) {
    struct announcement from = *(struct announcement *)in;
    CHECK((got.length = be64toh(from.length)) <= MOST, "%u bytes", got.length);
    read_remote(got.length, be64toh(from.address), be32toh(from.key));
    post(DONE, 0, be64toh(from.transfer), "", 0);
  }
  if (got.kind <= REPLY && ++owed >= OWN_CREDITS / 2) post(CREDITS, 0, 0, "", 0);
  return got.kind;
}

// Sends a message of the program, or announces it when it is long: then from `out`, which stays until the peer has read it.
static void give(int kind, uint64_t number, const void *bytes, int length) {
  int is_long = length > longest;
  while (!credits || (is_long && announced)) pump();
  credits--;
  announced += is_long, transfers += is_long;
  if (is_long) memmove(out, bytes, length);
  struct announcement mine = {htobe64(transfers), htobe64((uintptr_t)out), htobe64(length), htobe32(out_mr->rkey)};
  post(kind, is_long ? LONG : 0, number, is_long ? &mine : bytes, is_long ? (int)sizeof mine : length);
}

static void expect(int kind, uint64_t number, int length, int seed) {
  CHECK(next() == kind && got.number == number && (int)got.length == length, "kind %d, number %lu, %u bytes", got.kind, got.number, got.length);
  for (int i = 0; i < length; i++) CHECK(in[i] == pattern(seed, i), "byte %d of %d", i, length);
}

// Both sides say that they send no more, and that they have all of the other. Whoever gets that word may leave, so its completion comes
// when all retries are over, or never: it is waited for only for a moment.
static void end(int peer_ended) {
  while (announced) pump();
  if (!peer_ended) {
    post(END, 0, 0, "", 0);
    CHECK(next() == END && (got.flags & HAS_ALL), "kind %d, flags %d", got.kind, got.flags);
  }
  post_only(END, HAS_ALL, 0, "", 0);
  await(id->send_cq, MOMENT_MS);
  CALL(rdma_disconnect(id));
}

static void be_client(void) {
  int lengths[9] = {0, 1, 64, 1008, 1009, 4080, 4081, 65536, 1000000};
  for (int i = 0; i < 9; i++) fill(out, lengths[i], i), give(MESSAGE, 0, out, lengths[i]), expect(MESSAGE, 0, lengths[i], i);
  for (int i = 0; i < 40; i++) fill(out, 100, i), give(MESSAGE, 0, out, 100); // more than the echo has credits for
  for (int i = 0; i < 40; i++) expect(MESSAGE, 0, 100, i);
  for (int i = 0; i < 100; i++) give(MESSAGE, 0, "!", 1); // the server is silent about these, but returns credits
  CHECK(returns > 0, "no CREDITS for 100 messages");
  fill(out, 500, 1), give(REQUEST, 77, out, 500), expect(REPLY, 77, 500, 1);
  fill(out, 5000, 2), give(REQUEST, 78, out, 5000), expect(REPLY, 78, 5000, 2);
  post(FIND, 0, 1, "nothing", 7);
  CHECK(next() == NOT_FOUND && got.number == 1, "kind %d", got.kind);
  post(FIND, 0, 2, "table", 5);
  CHECK(next() == FOUND && got.number == 2 && got.length == sizeof(struct export), "kind %d, %u bytes", got.kind, got.length);
  struct export found = *(struct export *)in;
  CHECK(be64toh(found.length) == TABLE && be32toh(found.rights) & IBV_ACCESS_REMOTE_READ, "rights %x", be32toh(found.rights));
  read_remote(TABLE, be64toh(found.address), be32toh(found.key));
  for (int i = 0; i < TABLE; i++) CHECK(in[i] == pattern(5, i), "byte %d of the table", i);
  give(REQUEST, 79, "revoke", 6); // the server answers when the export is revoked
  CHECK(next() == REPLY && revoked == 1, "kind %d, %d revoked", got.kind, revoked);
  end(0);
}

static void be_server(void) {
  struct export mine = {htobe64((uintptr_t)table), htobe64(TABLE), htobe32(table_mr->rkey), htobe32(REMOTE), htobe64(1)};
  while (next() != END) {
    int is_table = got.length == 5 && !memcmp(in, "table", 5);
    if (got.kind == FIND) post(is_table ? FOUND : NOT_FOUND, 0, got.number, &mine, is_table ? sizeof mine : 0);
    else give(got.kind == REQUEST ? REPLY : MESSAGE, got.number, in, got.length);
  }
  end(1);
}

int main(int count, char **words) {
  CHECK(count == 4 || count == 5, "give client ADDRESS PORT OWN-ADDRESS, or server ADDRESS PORT");
  alarm(SECONDS); // no wait is longer
  int is_server = count == 4;
  struct sockaddr_in own_address = {.sin_family = AF_INET};
  struct rdma_addrinfo hints = {.ai_port_space = RDMA_PS_TCP, .ai_flags = is_server ? RAI_PASSIVE : 0}, *address;
  CHECK(is_server || inet_pton(AF_INET, words[4], &own_address.sin_addr) == 1, "%s", words[4]);
  if (!is_server) hints.ai_src_addr = (struct sockaddr *)&own_address, hints.ai_src_len = sizeof own_address;
  struct ibv_qp_init_attr attributes = {.cap = {4, RECEIVES, 1, 1, 0}, .qp_type = IBV_QPT_RC};
  CALL(rdma_getaddrinfo(words[2], words[3], &hints, &address));
  CALL(rdma_create_ep(is_server ? &listener : &id, address, NULL, &attributes));
  if (is_server) { CALL(rdma_listen(listener, 1)); CALL(rdma_get_request(listener, &id)); }
  struct hello own = {htobe32(MAGIC), VERSION, 0, htobe16(OWN_CREDITS), htobe32(OWN_BYTES), htobe16(OWN_LONGS), 0}, peer;
  struct rdma_conn_param parameters = {.private_data = &own, .private_data_len = sizeof own, .retry_count = 7, .rnr_retry_count = 0,
      .responder_resources = RDMA_MAX_RESP_RES, .initiator_depth = RDMA_MAX_INIT_DEPTH};
  received_mr = rdma_reg_msgs(id, received, sizeof received), sent_mr = rdma_reg_msgs(id, sent, sizeof sent);
  in_mr = rdma_reg_msgs(id, in, sizeof in), out_mr = rdma_reg_read(id, out, sizeof out);
  table_mr = ibv_reg_mr(id->pd, table, TABLE, IBV_ACCESS_LOCAL_WRITE | REMOTE);
  CHECK(received_mr && sent_mr && in_mr && out_mr && table_mr, "%m");
  fill(table, TABLE, 5);
  for (int slot = 0; slot < RECEIVES; slot++) post_receive(slot); // before the peer can send
  if (is_server) memcpy(&peer, id->event->param.conn.private_data, sizeof peer);
  CALL(is_server ? rdma_accept(id, &parameters) : rdma_connect(id, &parameters));
  if (!is_server) memcpy(&peer, id->event->param.conn.private_data, sizeof peer);
  CHECK(be32toh(peer.magic) == MAGIC && peer.version == VERSION, "the peer is no endpoint of this version");
  CHECK(be32toh(peer.bytes) <= sizeof sent, "%u", be32toh(peer.bytes));
  credits = be16toh(peer.credits), longest = be32toh(peer.bytes) - sizeof(struct header);
  is_server ? be_server() : be_client();
  rdma_destroy_ep(id);
  if (listener) rdma_destroy_ep(listener);
}
