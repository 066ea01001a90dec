import module io.verbena.verbs;

/// Chapter 16: remote procedure calls. A call is a SEND whose immediate data is the number of the call, and the answer
/// is a SEND with the same number. At most CALLS calls are in flight, and both sides have that many receives posted,
/// so no message ever finds the receiver without a buffer.
static final int CALLS = 16;
static final int BYTES = 64; // the longest request and the longest answer; short enough to be sent inline
static final Duration LIMIT = Duration.ofSeconds(20);
static final ConnectionManager CM = Rdma.connectionManager();

void main(String[] arguments) throws Exception {
    InetSocketAddress address = new InetSocketAddress(arguments.length > 0 ? arguments[0] : "127.0.0.1", 7485);
    try (ConnectionId listener = CM.createEndpoint(PortSpace.TCP, address, null, LIMIT)) {
        listener.listen(0);
        Thread.startVirtualThread(() -> serve(listener, request -> request.toUpperCase(Locale.ROOT)));
        try (Client client = new Client(address)) {
            IO.println("hello -> " + client.call("hello").get());
            List<Future<String>> answers = new ArrayList<>();
            for (int n = 0; n < 1000; n++) {
                answers.add(client.call("call " + n));
            }
            int right = 0;
            for (int n = 0; n < answers.size(); n++) {
                right += answers.get(n).get().equals("CALL " + n) ? 1 : 0;
            }
            IO.println(right + " of " + answers.size() + " answers are right");
        }
    }
}

/// The message side of a connection: receives are posted again when their message is handled.
class Messages {
    final QueuePair qp;
    final MemoryRegion buffers;

    Messages(ConnectionId id, MemoryRegion buffers) {
        this.qp = id.createQueuePair(QueuePairOptions.rc().inlineBytes(BYTES).sendRequests(2 * CALLS));
        this.buffers = buffers;
        for (int n = 0; n < CALLS; n++) {
            postReceive(n);
        }
    }

    void postReceive(int buffer) {
        qp.post(qp.newReceiveRequest().wrId(buffer).into(buffers, buffer * BYTES, BYTES));
    }

    void send(int call, String text) {
        MemorySegment bytes = MemorySegment.ofArray(text.getBytes());
        SendRequest send = qp.newSendRequest().sendWithImmediate(call).fromInline(bytes).signaled();
        do {
            qp.sendCq().poll(completion -> {}, CALLS); // completions of earlier messages: their slots are free again
        } while (!qp.post(send));
    }

    /// Hands messages to `handler` until the connection ends. The thread sleeps between them.
    void run(BiConsumer<Integer, String> handler) {
        boolean[] open = {true};
        while (open[0]) {
            qp.receiveCq().arm();
            while (qp.receiveCq().poll(completion -> {
                if (!completion.isSuccess()) { // flushed: the connection is closed
                    open[0] = false;
                    return;
                }
                int buffer = (int) completion.wrId();
                byte[] bytes = buffers.memory().asSlice(buffer * BYTES, completion.byteLength())
                        .toArray(ValueLayout.JAVA_BYTE);
                postReceive(buffer); // before the handler sends anything: the peer may then send the next message
                handler.accept(completion.immediate(), new String(bytes));
            }, 16) > 0) {}
            if (open[0]) {
                qp.receiveCq().channel().await(Duration.ofSeconds(1));
            }
        }
    }
}

void serve(ConnectionId listener, UnaryOperator<String> function) {
    try (ConnectionId id = Objects.requireNonNull(listener.awaitRequest(LIMIT), "no client connected in time");
            MemoryRegion buffers = id.protectionDomain().allocate(CALLS * BYTES, Access.LOCAL_WRITE)) {
        Messages messages = new Messages(id, buffers);
        id.accept(ConnectionParameters.DEFAULT);
        messages.run((call, request) -> messages.send(call, function.apply(request)));
    }
}

class Client implements AutoCloseable {
    private final ConnectionId id;
    private final MemoryRegion buffers;
    private final Messages messages;
    private final Thread reader;
    private final Semaphore credits = new Semaphore(CALLS);
    private final Map<Integer, CompletableFuture<String>> waiting = new ConcurrentHashMap<>();
    private final AtomicInteger numbers = new AtomicInteger();

    Client(InetSocketAddress address) {
        id = CM.createEndpoint(PortSpace.TCP, null, address, LIMIT);
        buffers = id.protectionDomain().allocate(CALLS * BYTES, Access.LOCAL_WRITE);
        messages = new Messages(id, buffers);
        id.connect(ConnectionParameters.DEFAULT);
        reader = Thread.startVirtualThread(this::read);
    }

    /// Any thread may call.
    Future<String> call(String request) throws InterruptedException {
        credits.acquire();
        int number = numbers.incrementAndGet();
        CompletableFuture<String> answer = new CompletableFuture<>();
        waiting.put(number, answer);
        messages.send(number, request);
        return answer.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private void read() {
        messages.run((number, answer) -> {
            credits.release();
            waiting.remove(number).complete(answer);
        });
        waiting.values().forEach(answer -> answer.completeExceptionally(new IOException("the connection is closed")));
    }

    @Override
    public void close() throws InterruptedException {
        id.disconnect(); // flushes the receives, which ends the reader
        reader.join();
        id.close();
        buffers.close();
    }
}
