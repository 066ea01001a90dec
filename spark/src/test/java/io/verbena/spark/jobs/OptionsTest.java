package io.verbena.spark.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {
    @Test
    void shouldCompareAllJobsWithoutArguments() {
        Options options = Options.parse(List.of());
        assertEquals(
                new Options(List.of(), 100_000_000, List.of(Way.TCP, Way.RDMA), List.of(Job.values()), 1, 3, null),
                options);
        assertEquals(
                List.of("a", "b"), Options.parse(List.of("--cluster", "a,b")).hosts());
        assertEquals(
                List.of(Way.SOCKETS),
                Options.parse(List.of("--ways", "SOCKETS", "--mb", "7")).ways());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--mb x | --mb is 'x'; write a whole number from 1 to 1000000",
                "--mb -3 | --mb is '-3'; write a whole number from 1 to 1000000",
                "--mb 99999999999 | --mb is '99999999999'; write a whole number from 1 to 1000000",
                "--ways TCP,UDP | --ways has 'UDP'; write one or more of [TCP, SOCKETS, RDMA, FILES], with commas",
                "--jobs GROUP, | --jobs has ''; write one or more of [GROUP, SORT, JOIN, FETCH], with commas",
                "--cluster a,,b | --cluster is 'a,,b'; write hosts with commas",
                "--mb | --mb needs a value; see ./verbena spark --help",
                "--bytes 3 | there is no option '--bytes'; see ./verbena spark --help",
            })
    void shouldSayWhatToWriteInPlaceOfAWrongArgument(String arguments, String message) {
        List<String> words = List.of(arguments.split(" "));
        assertEquals(
                message,
                assertThrows(IllegalArgumentException.class, () -> Options.parse(words))
                        .getMessage());
    }

    @Test
    void shouldLinkToTheJarsOfThisBuildOnly(@TempDir Path module) throws IOException {
        Path target = Files.createDirectories(module.resolve("target"));
        for (String version : List.of("1", "2")) {
            Files.writeString(
                    target.resolve("spark.path"), "/r/spark-%s.jar:/r/scala-%s.jar\n".formatted(version, version));
            Path home = Application.home(module);
            Application.home(module); // nothing changes
            TreeMap<String, String> links = new TreeMap<>();
            try (Stream<Path> jars = Files.list(home.resolve("jars"))) {
                for (Path link : jars.toList()) {
                    links.put(
                            link.getFileName().toString(),
                            Files.readSymbolicLink(link).toString());
                }
            }
            assertEquals(
                    "{scala-%s.jar=/r/scala-%s.jar, spark-%s.jar=/r/spark-%s.jar}"
                            .formatted(version, version, version, version),
                    links.toString());
        }
    }
}
