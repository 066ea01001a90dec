package io.verbena.applications.speed;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/// One side of a case, in its own process: `Side CASE server`, or `Side CASE client PORT`, which measures a round for
/// each line of input.
/// Both end with the input.
public final class Side {
    private Side() {}

    /// Runs the side.
    public static void main(String[] arguments) throws Exception {
        Case measured = Case.named(arguments[0]);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        if (arguments[1].equals("server")) {
            System.out.println("port " + measured.serve());
            while (input.readLine() != null) {
                // waits for the end of input
            }
            System.exit(0);
        }
        Client client = measured.connect(Integer.parseInt(arguments[2]));
        System.out.println("ready");
        while (input.readLine() != null) {
            System.out.println("result " + client.round());
        }
        System.exit(0);
    }
}
