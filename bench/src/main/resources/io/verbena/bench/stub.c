/* Stands for libibverbs and a driver with nothing behind it, so that what remains is the cost of the calls.
 *
 * The exported functions make objects that look as libibverbs makes them; the inline verbs are function pointers in
 * the context, as in a real one. Posting walks the chain of requests and copies what a driver would copy into a ring;
 * polling fills as many completions as stub_ready() said. Only what the benchmarks need is here. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/types.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define RING 256
#ifdef __aarch64__
#define CONTEXT_BYTES 336
#else
#define CONTEXT_BYTES 328
#endif
#define FIELD(type, object, offset) (*(type *)((char *)(object) + (offset)))

struct sge {
  uint64_t addr;
  uint32_t length, lkey;
};

struct send_wr {
  uint64_t wr_id;
  struct send_wr *next;
  struct sge *sg_list;
  int32_t num_sge;
  uint32_t opcode, send_flags, imm_data;
  uint64_t remote_addr;
  uint32_t rkey, pad;
  uint64_t rest[9];
};

struct recv_wr {
  uint64_t wr_id;
  struct recv_wr *next;
  struct sge *sg_list;
  int32_t num_sge;
};

struct wc {
  uint64_t wr_id;
  uint32_t status, opcode, vendor_err, byte_len, imm_data, qp_num, src_qp, wc_flags;
  uint16_t pkey_index, slid;
  uint8_t sl, path_bits;
};

_Static_assert(sizeof(struct send_wr) == 128 && sizeof(struct recv_wr) == 32 && sizeof(struct wc) == 48, "layout");

/* One entry of a work queue, about as much as a driver writes for each request. */
struct wqe {
  uint64_t wr_id, remote_addr, addr;
  uint32_t opcode, flags, rkey, length, lkey, imm;
};

static struct wqe sends[RING], receives[RING];
static uint32_t send_tail, receive_tail;
static volatile int ready;
static uint64_t polled;

static int post_send(void *qp, struct send_wr *wr, struct send_wr **bad) {
  (void)qp;
  for (; wr != NULL; wr = wr->next) {
    if (wr->num_sge > 1) {
      *bad = wr;
      return 22;
    }
    struct wqe *e = &sends[send_tail++ % RING];
    e->wr_id = wr->wr_id;
    e->opcode = wr->opcode;
    e->flags = wr->send_flags;
    e->imm = wr->imm_data;
    e->remote_addr = wr->remote_addr;
    e->rkey = wr->rkey;
    if (wr->num_sge == 1) {
      e->addr = wr->sg_list->addr;
      e->length = wr->sg_list->length;
      e->lkey = wr->sg_list->lkey;
    }
  }
  return 0;
}

static int post_recv(void *qp, struct recv_wr *wr, struct recv_wr **bad) {
  (void)qp;
  for (; wr != NULL; wr = wr->next) {
    if (wr->num_sge > 1) {
      *bad = wr;
      return 22;
    }
    struct wqe *e = &receives[receive_tail++ % RING];
    e->wr_id = wr->wr_id;
    if (wr->num_sge == 1) {
      e->addr = wr->sg_list->addr;
      e->length = wr->sg_list->length;
      e->lkey = wr->sg_list->lkey;
    }
  }
  return 0;
}

static int poll_cq(void *cq, int count, struct wc *wc) {
  (void)cq;
  int n = ready < count ? ready : count;
  for (int i = 0; i < n; i++) {
    wc[i] = (struct wc){.wr_id = polled++, .opcode = 1, .byte_len = 64, .qp_num = 17};
  }
  return n;
}

static int req_notify_cq(void *cq, int solicited) {
  (void)cq;
  (void)solicited;
  return 0;
}

/* ---- objects ---- */

static char device[664];
static char context_bytes[1024 + CONTEXT_BYTES]; /* struct verbs_context grows at the front */
static void *context = context_bytes + 1024;

static void *make(size_t bytes) {
  void *object = calloc(1, bytes);
  FIELD(void *, object, 0) = context;
  return object;
}

static int drop(void *object) {
  free(object);
  return 0;
}

/* How many completions each poll finds. */
EXPORT void stub_ready(int count) { ready = count; }

EXPORT void **ibv_get_device_list(int *count) {
  void **list = calloc(2, sizeof(void *));
  strcpy(device + 24, "stub0");
  strcpy(device + 88, "/dev/null"); /* a file that can be opened */
  FIELD(int, device, 16) = 1;
  list[0] = device;
  if (count != NULL) {
    *count = 1;
  }
  return list;
}

EXPORT void ibv_free_device_list(void **list) { free(list); }
EXPORT const char *ibv_get_device_name(void *d) { return (char *)d + 24; }
EXPORT uint64_t ibv_get_device_guid(void *d) {
  (void)d;
  return 1;
}

EXPORT void *ibv_open_device(void *d) {
  FIELD(void *, context, 0) = d;
  FIELD(void *, context, 96) = (void *)poll_cq;
  FIELD(void *, context, 104) = (void *)req_notify_cq;
  FIELD(void *, context, 208) = (void *)post_send;
  FIELD(void *, context, 216) = (void *)post_recv;
  FIELD(int, context, 264) = -1;
  FIELD(int, context, 268) = eventfd(0, EFD_NONBLOCK);
  FIELD(int, context, 272) = 1;
  FIELD(intptr_t, context, CONTEXT_BYTES - 8) = -1; /* a verbs_context is there, */
  FIELD(size_t, context, -8) = CONTEXT_BYTES;       /* without functions */
  return context;
}

EXPORT int ibv_close_device(void *c) {
  close(FIELD(int, c, 268));
  return 0;
}

EXPORT int ibv_query_device(void *c, void *attr) {
  (void)c;
  memset(attr, 0, 232);
  FIELD(uint64_t, attr, 80) = UINT64_MAX;
  static const int limits[][2] = {{108, 64}, {112, 1024}, {120, 32}, {124, 32}, {128, 64}, {132, 65536},
                                  {136, 64}, {140, 64},   {144, 16}, {152, 64}, {156, 16}};
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
    FIELD(int, attr, limits[i][0]) = limits[i][1];
  }
  FIELD(uint8_t, attr, 227) = 1;
  return 0;
}

EXPORT ssize_t _ibv_query_gid_table(void *c, void *entries, size_t max, uint32_t flags, size_t size) {
  (void)c;
  (void)flags;
  if (max > 0) {
    memset(entries, 0, size);
    FIELD(uint32_t, entries, 20) = 1;
    FIELD(uint32_t, entries, 24) = 2;
  }
  return max > 0;
}

EXPORT int ibv_query_port(void *c, uint8_t port, void *attr) {
  (void)c;
  (void)port;
  memset(attr, 0, 48);
  FIELD(int, attr, 0) = 4;
  FIELD(int, attr, 4) = 5;
  FIELD(int, attr, 8) = 5;
  FIELD(int, attr, 12) = 1;
  FIELD(uint32_t, attr, 20) = 1u << 31;
  FIELD(uint16_t, attr, 32) = 1;
  FIELD(uint8_t, attr, 46) = 2;
  return 0;
}

EXPORT void *ibv_alloc_pd(void *c) {
  (void)c;
  return make(16);
}
EXPORT int ibv_dealloc_pd(void *pd) { return drop(pd); }

EXPORT void *ibv_reg_mr_iova2(void *pd, void *addr, size_t length, uint64_t iova, unsigned access) {
  (void)iova;
  (void)access;
  void *mr = make(48);
  FIELD(void *, mr, 8) = pd;
  FIELD(void *, mr, 16) = addr;
  FIELD(size_t, mr, 24) = length;
  FIELD(uint32_t, mr, 36) = 0x1100;
  FIELD(uint32_t, mr, 40) = 0x1100;
  return mr;
}
EXPORT int ibv_dereg_mr(void *mr) { return drop(mr); }

EXPORT void *ibv_create_cq(void *c, int cqe, void *cq_context, void *channel, int vector) {
  (void)c;
  (void)vector;
  void *cq = make(136);
  FIELD(void *, cq, 8) = channel;
  FIELD(void *, cq, 16) = cq_context;
  FIELD(int, cq, 28) = cqe;
  return cq;
}
EXPORT int ibv_destroy_cq(void *cq) { return drop(cq); }

EXPORT void *ibv_create_qp(void *pd, void *init) {
  void *qp = make(168);
  FIELD(void *, qp, 16) = pd;
  FIELD(void *, qp, 24) = FIELD(void *, init, 8);
  FIELD(void *, qp, 32) = FIELD(void *, init, 16);
  FIELD(uint32_t, qp, 52) = 17;
  FIELD(uint32_t, qp, 60) = FIELD(uint32_t, init, 52);
  return qp;
}
EXPORT int ibv_destroy_qp(void *qp) { return drop(qp); }

EXPORT int ibv_modify_qp(void *qp, void *attr, int mask) {
  if (mask & 1) {
    FIELD(uint32_t, qp, 56) = FIELD(uint32_t, attr, 0);
  }
  return 0;
}

EXPORT int ibv_query_qp(void *qp, void *attr, int mask, void *init) {
  (void)mask;
  memset(attr, 0, 144);
  memset(init, 0, 64);
  FIELD(uint32_t, attr, 0) = FIELD(uint32_t, qp, 56);
  return 0;
}

/* Objects for callers that go past Verbena. */
EXPORT void *stub_qp(void) {
  ibv_open_device(device);
  return make(168);
}

EXPORT void *stub_cq(void) {
  ibv_open_device(device);
  return make(136);
}

/* ---- the same work done from C, that many times ---- */

typedef int (*send_call)(void *, struct send_wr *, struct send_wr **);
typedef int (*recv_call)(void *, struct recv_wr *, struct recv_wr **);
typedef int (*poll_call)(void *, int, struct wc *);

/* Calls go as those of the inline functions in infiniband/verbs.h: through the context of the object. */

EXPORT int64_t stub_post_sends(void *qp, int chain, int64_t calls) {
  static struct send_wr wr[16], *bad;
  static struct sge sge[16];
  int64_t sum = 0;
  for (int i = 0; i < chain; i++) {
    sge[i] = (struct sge){4096, 64, 0x1100};
    wr[i].next = i + 1 < chain ? &wr[i + 1] : NULL;
    wr[i].sg_list = &sge[i];
    wr[i].num_sge = 1;
    wr[i].send_flags = 2;
    wr[i].rkey = 0x1100;
  }
  for (int64_t i = 0; i < calls; i++) {
    for (int j = 0; j < chain; j++) {
      wr[j].wr_id = (uint64_t)i;
      wr[j].remote_addr = 4096 + 64 * (i & 63);
    }
    sum += FIELD(send_call, FIELD(void *, qp, 0), 208)(qp, wr, &bad);
  }
  return sum;
}

EXPORT int64_t stub_post_receives(void *qp, int64_t calls) {
  static struct recv_wr wr, *bad;
  static struct sge sge = {4096, 64, 0x1100};
  int64_t sum = 0;
  wr.sg_list = &sge;
  wr.num_sge = 1;
  for (int64_t i = 0; i < calls; i++) {
    wr.wr_id = (uint64_t)i;
    sum += FIELD(recv_call, FIELD(void *, qp, 0), 216)(qp, &wr, &bad);
  }
  return sum;
}

EXPORT int64_t stub_polls(void *cq, int limit, int64_t calls) {
  struct wc wc[16];
  int64_t sum = 0;
  for (int64_t i = 0; i < calls; i++) {
    int n = FIELD(poll_call, FIELD(void *, cq, 0), 96)(cq, limit, wc);
    for (int j = 0; j < n; j++) {
      sum += wc[j].wr_id + wc[j].status;
    }
  }
  return sum;
}
