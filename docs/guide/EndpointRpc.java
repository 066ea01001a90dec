import module io.verbena.endpoint;

/// Chapter 16: remote procedure calls on a connection, which matches answers to calls by itself. A request is the name
/// of a function, a space and the argument. An answer is the result behind '+', or the reason of a failure behind '-'.
static final Map<String, UnaryOperator<String>> FUNCTIONS = Map.of(
        "upper", text -> text.toUpperCase(Locale.ROOT),
        "reverse", text -> new StringBuilder(text).reverse().toString(),
        "half", number -> String.valueOf(Integer.parseInt(number) / 2));

void main(String[] arguments) {
    String address = arguments.length > 0 ? arguments[0] : "127.0.0.1";
    try (EndpointServer server = Endpoint.listen(address, 7486)) {
        Thread.startVirtualThread(() -> server.serve(this::answer));
        try (Connection connection = Endpoint.connect(address, 7486)) {
            IO.println("upper hello -> " + call(connection, "upper", "hello"));
            String letters = call(connection, "reverse", "ab".repeat(500_000));
            IO.println("reverse a million letters -> " + letters.substring(0, 6) + "...");
            try {
                call(connection, "half", "an apple");
            } catch (IllegalStateException e) {
                IO.println("half an apple -> " + e.getMessage());
            }
            callOften(connection);
        }
    }
}

/// The server's side of one connection.
void answer(Connection client) {
    for (Message request : client) {
        String[] words = request.text().split(" ", 2);
        String answer;
        try {
            answer = "+" + FUNCTIONS.get(words[0]).apply(words[1]);
        } catch (RuntimeException e) { // of the function: the connection goes on
            answer = "-" + e.getMessage();
        }
        request.reply(answer);
    }
}

String call(Connection connection, String function, String argument) {
    return result(connection.callAsync((function + " " + argument).getBytes()));
}

String result(Pending call) {
    call.await(Duration.ofSeconds(20));
    try (Message answer = call.reply()) {
        String text = answer.text();
        if (text.startsWith("-")) throw new IllegalStateException(text.substring(1));
        return text.substring(1);
    }
}

void callOften(Connection connection) {
    IntFunction<Pending> upper = n -> connection.callAsync(("upper call " + n).getBytes());
    List<Pending> calls = IntStream.range(0, 1000).mapToObj(upper).toList();
    long right = IntStream.range(0, 1000).filter(n -> result(calls.get(n)).equals("CALL " + n)).count();
    IO.println(right + " of 1000 answers are right");
}
