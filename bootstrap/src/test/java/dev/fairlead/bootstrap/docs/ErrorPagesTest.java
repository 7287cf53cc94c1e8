package dev.fairlead.bootstrap.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.affinity.AffinityFinding;
import dev.fairlead.domain.failure.Failure;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ErrorPagesTest {
    /** A code at the start of a text, wherever in the product it is given. */
    private static final Pattern CODE = Pattern.compile("\"(FL-[A-Z]+-[0-9]{3})\\b");

    private final Repository repository = Repository.ofThisBuild();

    @Test
    void every_code_has_a_page_and_no_page_is_without_a_code() {
        var codes = repository.javaSources().stream()
                .flatMap(path -> CODE.matcher(repository.text(path)).results().map(match -> match.group(1)))
                .collect(Collectors.toCollection(TreeSet::new));

        var pages = repository.filesIn("docs/errors").stream()
                .map(path -> path.getFileName().toString())
                .filter(name -> name.startsWith("FL-"))
                .map(name -> name.replace(".md", ""))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(pages)
                .isEqualTo(codes)
                .containsAll(failures().map(Failure::code).toList())
                .hasSizeGreaterThan(20);
    }

    @Test
    void no_two_failures_share_a_code() {
        assertThat(failures().map(Failure::code)).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("failures")
    void a_page_names_its_failure_and_says_what_to_do(Failure failure) {
        var page = repository.text("docs/errors/" + failure.code() + ".md");

        assertThat(page)
                .startsWith("# " + failure.code() + ": ")
                .contains("`" + failure.getClass().getSimpleName() + "`", "\n## Cause\n", "\n## What to do\n");
    }

    @ParameterizedTest
    @MethodSource("failures")
    void the_index_lists_every_page(Failure failure) {
        var code = failure.code();

        assertThat(repository.text("docs/errors/README.md")).contains("[" + code + "](" + code + ".md)");
    }

    @ParameterizedTest
    @EnumSource(AffinityFinding.class)
    void what_is_found_at_a_volume_has_a_page_that_says_what_to_do(AffinityFinding finding) {
        String code = finding.code();

        assertThat(repository.text("docs/errors/" + code + ".md"))
                .startsWith("# " + code + ": ")
                .contains("`" + finding.name() + "`", "\n## Cause\n", "\n## What to do\n");
        assertThat(repository.text("docs/errors/README.md")).contains("[" + code + "](" + code + ".md)");
    }

    static Stream<Failure> failures() {
        return Arrays.stream(Failure.class.getPermittedSubclasses()).map(ErrorPagesTest::sample);
    }

    /** One failure of this kind; what its fields hold does not matter to its code. */
    private static Failure sample(Class<?> kind) {
        var components = kind.getRecordComponents();
        var types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        var samples = Map.<Class<?>, Object>of(String.class, "x", Duration.class, Duration.ZERO, List.class, List.of());
        try {
            return (Failure) kind.getDeclaredConstructor(types)
                    .newInstance(Arrays.stream(types).map(samples::get).toArray());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("cannot make a sample of " + kind.getSimpleName(), e);
        }
    }
}
