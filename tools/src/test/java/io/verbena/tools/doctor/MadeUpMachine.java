package io.verbena.tools.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Files that tell of a machine that nobody has.
final class MadeUpMachine {
    private final Path root;

    MadeUpMachine(Path root) throws IOException {
        this.root = root;
        folder("proc/self");
    }

    Machine machine() {
        return new Machine(root);
    }

    List<Finding> look(Check check) {
        return check.run(machine());
    }

    MadeUpMachine folder(String path) throws IOException {
        Files.createDirectories(root.resolve(path));
        return this;
    }

    MadeUpMachine file(String path, String... lines) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.write(file, List.of(lines));
        return this;
    }

    MadeUpMachine link(String path, String target) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.createSymbolicLink(file, Path.of(target));
        return this;
    }

    /// A port as sysfs shows it.
    MadeUpMachine port(String device, String state, String layer) throws IOException {
        String port = "sys/class/infiniband/" + device + "/ports/1/";
        return file(port + "state", state).file(port + "link_layer", layer);
    }

    MadeUpMachine gid(String device, int index, String gid, String type, String netdev) throws IOException {
        String port = "sys/class/infiniband/" + device + "/ports/1/";
        return file(port + "gids/" + index, gid)
                .file(port + "gid_attrs/types/" + index, type)
                .file(port + "gid_attrs/ndevs/" + index, netdev);
    }
}
