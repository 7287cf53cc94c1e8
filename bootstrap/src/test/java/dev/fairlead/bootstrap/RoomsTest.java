package dev.fairlead.bootstrap;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.testkit.rules.OpeningSentence;
import dev.fairlead.testkit.rules.SourceLength;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Holds the packages and files of all modules small enough to be looked over, their words apart from each other, and
 * their Javadoc plain.
 */
class RoomsTest {
    private static final int MOST = 20;
    private static final String SOURCES = "src/main/java";

    @Test
    void no_package_has_more_types_than_one_looks_over() throws IOException {
        Map<Path, List<Path>> packages = sources().stream().collect(groupingBy(Path::getParent));

        assertThat(packages).allSatisfy((_, types) -> assertThat(types).hasSizeLessThanOrEqualTo(MOST));
    }

    @Test
    void no_simple_name_stands_for_two_types() throws IOException {
        Map<Path, List<Path>> names = sources().stream().collect(groupingBy(Path::getFileName, TreeMap::new, toList()));

        assertThat(names).allSatisfy((_, types) -> assertThat(types).hasSize(1));
    }

    @Test
    void no_source_file_is_too_long_to_be_read_in_one_go() throws IOException {
        assertThat(SourceLength.over(modules())).isEmpty();
    }

    @Test
    void each_first_sentence_of_javadoc_says_what_the_thing_does_or_is() throws IOException {
        assertThat(OpeningSentence.otherwise(modules())).isEmpty();
    }

    private static List<Path> modules() throws IOException {
        Path root = Path.of("").toAbsolutePath().getParent();
        try (Stream<Path> folders = Files.list(root)) {
            List<Path> found = folders.filter(it -> Files.isDirectory(it.resolve("src")))
                    .sorted()
                    .toList();
            assertThat(found)
                    .extracting(it -> it.getFileName().toString())
                    .as("modules of " + root)
                    .contains("domain", "application-tests", "lab", "benchmarks", "demo", "template-adapter");
            return found;
        }
    }

    private static List<Path> sources() throws IOException {
        TreeSet<Path> found = new TreeSet<>();
        for (Path module : modules()) {
            if (Files.isDirectory(module.resolve(SOURCES))) {
                try (Stream<Path> files = Files.walk(module.resolve(SOURCES))) {
                    found.addAll(files.filter(file -> file.toString().endsWith(".java"))
                            .filter(file -> !file.endsWith("package-info.java"))
                            .collect(toCollection(TreeSet::new)));
                }
            }
        }
        assertThat(found).as("sources of all modules").hasSizeGreaterThan(500);
        return List.copyOf(found);
    }
}
