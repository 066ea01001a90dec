import io.verbena.tools.trace.JsonTrace;
import io.verbena.tools.trace.Tracing;
import io.verbena.verbs.ProtectionDomain;
import module io.verbena.verbs;

/// Chapter 18: five programs that go wrong as first programs do. Each leaves its traces and a capture of its packets in
/// a folder, for `./verbena view`.
static final List<String> TROUBLES = List.of("no-receive", "wrong-key", "overtaken", "peer-killed", "loss");

static final String SERVER = "127.93.77.1";

record Side(CompletionQueue cq, QueuePair qp, MemoryRegion memory) {}

void main(String[] arguments) throws IOException {
    String address = arguments.length > 0 ? arguments[0] : "127.0.0.1";
    Path folder = arguments.length > 1 ? Files.createDirectories(Path.of(arguments[1])) : Files.createTempDirectory("troubles");
    if (arguments.length > 2) {
        serve(open(folder, "peer-killed", "server", address), arguments);
        return;
    }
    for (String name : TROUBLES) {
        // Packets can be captured, and get lost, on UDP only.
        System.setProperty("verbena.soft.path", name.equals("overtaken") ? "auto" : "udp");
        System.setProperty("verbena.soft.capture", name.equals("overtaken") ? "" : folder + "/" + name + ".pcap");
        System.setProperty("verbena.soft.faults", name.equals("loss") ? "loss=0.2,seed=5" : "");
        Context client = open(folder, name, "client", address);
        System.setProperty("verbena.soft.capture", "");
        try {
            IO.println(name + ": " + (name.equals("peer-killed")
                    ? peerKilled(client, folder)
                    : within(client, open(folder, name, "server", SERVER), name)));
        } finally {
            client.closeAll();
        }
    }
    IO.println("traces and captures: " + folder);
}

/// A device whose calls are written to a trace.
Context open(Path folder, String name, String role, String address) {
    var trace = JsonTrace.to(folder.resolve(name + "-" + role + ".jsonl"), role);
    return Tracing.of(Rdma.provider("soft"), trace).device(address).orElseThrow().open();
}

/// Both sides in this process.
String within(Context client, Context server, String name) {
    try {
        Side left = side(client);
        Side right = side(server);
        connect(left.qp(), right.qp().number(), server.gid(1, 0));
        connect(right.qp(), left.qp().number(), client.gid(1, 0));
        return switch (name) {
            case "no-receive" -> noReceive(left);
            case "wrong-key" -> wrongKey(left, right.memory().remote());
            case "overtaken" -> overtaken(left, right);
            default -> write(left, right.memory().remote(), 8192);
        };
    } finally {
        server.closeAll();
    }
}

Side side(Context context) {
    ProtectionDomain pd = context.allocateProtectionDomain();
    CompletionQueue cq = context.createCompletionQueue(64);
    return new Side(cq, pd.createQueuePair(QueuePairOptions.rc(cq)), pd.allocate(8192, Access.LOCAL_WRITE, Access.REMOTE_WRITE));
}

void connect(QueuePair qp, int peer, Gid address) {
    qp.modify(QueuePairChange.toInit().access(Access.REMOTE_WRITE));
    qp.modify(QueuePairChange.toRtr(AddressVector.to(address), peer, 0));
    qp.modify(QueuePairChange.toRts(0).rnrRetry(3));
}

/// The server forgets to post a receive.
String noReceive(Side client) {
    client.qp().post(client.qp().newSendRequest().wrId(1).send().from(client.memory(), 0, 64).signaled());
    return take(client, 1);
}

/// The client has the key wrong.
String wrongKey(Side client, RemoteBuffer there) {
    return write(client, new RemoteBuffer(there.address(), there.length(), there.rkey() ^ 0x100), 64);
}

/// The client takes the next completion for that of its SEND. Sooner or later it is the answer.
String overtaken(Side client, Side server) {
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    for (int round = 1; round <= 1000 && System.nanoTime() < end; round++) {
        server.qp().post(server.qp().newReceiveRequest().wrId(10).into(server.memory(), 0, 64));
        client.qp().post(client.qp().newReceiveRequest().wrId(2).into(client.memory(), 64, 64));
        Thread answering = Thread.startVirtualThread(() -> {
            take(server, 1);
            server.qp().post(server.qp().newSendRequest().wrId(11).send().from(server.memory(), 0, 64).signaled());
            take(server, 1);
        });
        client.qp().post(client.qp().newSendRequest().wrId(1).send().from(client.memory(), 0, 64).signaled());
        String first = take(client, 1);
        try {
            answering.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (!first.contains("SEND")) {
            return "the SEND completed as " + first;
        }
        take(client, 1);
    }
    return "not this time, try again";
}

/// The server is another process, and is killed.
String peerKilled(Context context, Path folder) throws IOException {
    ProcessHandle.Info self = ProcessHandle.current().info();
    List<String> command = new ArrayList<>(List.of(self.command().orElseThrow()));
    for (String word : self.arguments().orElseThrow()) {
        command.add(word);
        if (word.endsWith("Troubles.java")) {
            break;
        }
    }
    Side client = side(context);
    String here = context.gid(1, 0).address().getHostAddress();
    command.addAll(List.of(SERVER, folder.toString(), "" + client.qp().number(), here));
    Process server = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (Scanner in = new Scanner(server.getInputStream())) {
        connect(client.qp(), in.nextInt(), Gid.of(InetAddress.getByName(SERVER)));
        RemoteBuffer memory = new RemoteBuffer(in.nextLong(), 8192, in.nextInt());
        String before = write(client, memory, 64);
        server.destroyForcibly().waitFor();
        return before + "; then " + write(client, memory, 64);
    } catch (InterruptedException e) {
        throw new IllegalStateException(e);
    } finally {
        server.destroyForcibly();
    }
}

void serve(Context context, String[] client) throws IOException {
    Side server = side(context);
    connect(server.qp(), Integer.parseInt(client[2]), Gid.of(InetAddress.getByName(client[3])));
    IO.println(server.qp().number());
    IO.println(server.memory().remote().address());
    IO.println(server.memory().remote().rkey());
    LockSupport.parkNanos(Duration.ofMinutes(1).toNanos());
}

String write(Side client, RemoteBuffer there, int bytes) {
    for (int n = 1; n <= 2; n++) {
        client.qp().post(client.qp().newSendRequest().wrId(n).write(there).from(client.memory(), 0, bytes).signaled());
    }
    return take(client, 2);
}

String take(Side side, int count) {
    var lines = new StringJoiner(", ");
    for (int taken = 0; taken < count; taken++) {
        int more = side.cq().poll(completion -> lines.add("wr_id " + completion.wrId() + " "
                + (completion.isSuccess() ? completion.opcode() : completion.status())), 1, Duration.ofSeconds(20));
        if (more == 0) {
            return lines.add("nothing more").toString();
        }
    }
    return lines.toString();
}
