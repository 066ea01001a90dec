import module io.verbena.endpoint;

/// A table in the memory of a server. The client writes and reads its rows by RDMA: no code of the server runs for it.
static final int ROW = 64; // bytes
static final List<String> KEYS = List.of("apple", "fig", "pear", "plum"); // the row of a key is its place here

void main() {
    try (Arena arena = Arena.ofShared(); // closed last: peers may use the memory until the server is closed
            EndpointServer server = Endpoint.listen("127.0.0.1", 7477)) {
        MemorySegment table = arena.allocate(KEYS.size() * ROW, 8);
        server.export("prices", table, Access.REMOTE_READ, Access.REMOTE_WRITE);
        table.setString(KEYS.indexOf("fig") * ROW, "3 euros");
        try (Connection connection = Endpoint.connect("127.0.0.1", 7477)) {
            RemoteMemory prices = connection.remote("prices");
            put(prices, "plum", "5 euros");
            KEYS.forEach(key -> IO.println("client: " + key + ": " + get(prices, key)));
        }
        IO.println("server: plum: " + table.getString(KEYS.indexOf("plum") * ROW));
    }
}

void put(RemoteMemory table, String key, String value) {
    table.write(KEYS.indexOf(key) * ROW, MemorySegment.ofArray(Arrays.copyOf(value.getBytes(), ROW)));
}

String get(RemoteMemory table, String key) {
    MemorySegment row = MemorySegment.ofArray(new byte[ROW]);
    table.read(KEYS.indexOf(key) * ROW, row); // KeyValue.java shows how to notice a row that is being written
    return row.getString(0).isEmpty() ? "no price" : row.getString(0);
}
