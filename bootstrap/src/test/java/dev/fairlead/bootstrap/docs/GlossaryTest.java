package dev.fairlead.bootstrap.docs;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Holds the words of which names of types are made: each is a term of the field or plain English, both of which stand
 * in a list that is read when it changes, or it is ours and the glossary explains it.
 */
class GlossaryTest {
    private static final Repository REPOSITORY = Repository.ofThisBuild();
    private static final Set<String> NOT_SHIPPED =
            Set.of("adapter-testkit", "lab", "benchmarks", "truenas-simulator", "linstor-simulator");

    /** Comments and texts, in which "class" and "record" are words like any other. */
    private static final Pattern PROSE =
            Pattern.compile("(?s)/\\*.*?\\*/|\"\"\".*?\"\"\"|//[^\n]*|\"(?:\\\\.|[^\"\\\\\n])*\"");

    private static final Pattern TYPE = Pattern.compile("\\b(?:class|interface|record|enum)\\s+([A-Z]\\w*)");
    private static final Pattern WORD = Pattern.compile("[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+");
    private static final Pattern PLAIN = Pattern.compile("[a-z]+");
    private static final Pattern ENTRY = Pattern.compile("(?m)^\\| ([^|]+) \\|");

    @Test
    void every_word_of_a_type_s_name_is_a_known_term_or_stands_in_the_glossary() {
        Set<String> known = new TreeSet<>(glossary());
        known.addAll(terms());

        Map<String, Set<String>> unknown = new TreeMap<>(words(types()));
        unknown.keySet().removeIf(word -> forms(word).anyMatch(known::contains));

        assertThat(unknown)
                .as("words, and the types that have them: name the type by a term of the field, or explain the word in"
                        + " docs/glossary.md; type-words.txt is for terms that need no explanation")
                .isEmpty();
    }

    @Test
    void the_list_is_in_order_and_repeats_nothing_of_the_glossary() {
        assertThat(terms()).isSorted().doesNotHaveDuplicates().doesNotContainAnyElementsOf(glossary());
    }

    @Test
    void names_are_split_as_one_reads_them() {
        assertThat(words(Set.of("ZfsVolumeStore", "JdkEd25519", "HTTPServer")).keySet())
                .containsExactly("ed", "http", "jdk", "server", "store", "volume", "zfs");
    }

    private static Map<String, Set<String>> words(Set<String> types) {
        return types.stream()
                .flatMap(type -> WORD.matcher(type)
                        .results()
                        .map(word -> Map.entry(word.group().toLowerCase(Locale.ROOT), type)))
                .collect(groupingBy(
                        Map.Entry::getKey, TreeMap::new, mapping(Map.Entry::getValue, toCollection(TreeSet::new))));
    }

    /** Returns the word, and what it is the plural of. */
    private static Stream<String> forms(String word) {
        return Stream.of(
                word, word.replaceFirst("s$", ""), word.replaceFirst("ies$", "y"), word.replaceFirst("es$", ""));
    }

    private static Set<String> glossary() {
        return ENTRY.matcher(REPOSITORY.text("docs/glossary.md"))
                .results()
                .flatMap(entry ->
                        PLAIN.matcher(entry.group(1).toLowerCase(Locale.ROOT)).results())
                .map(MatchResult::group)
                .collect(toCollection(TreeSet::new));
    }

    private static List<String> terms() {
        return REPOSITORY
                .text("bootstrap/src/test/resources/dev/fairlead/bootstrap/docs/type-words.txt")
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
    }

    private static Set<String> types() {
        Set<String> found = REPOSITORY.javaSources().stream()
                .filter(path -> NOT_SHIPPED.stream().noneMatch(module -> path.startsWith(module + "/")))
                .map(path -> PROSE.matcher(REPOSITORY.text(path)).replaceAll(" "))
                .flatMap(code -> TYPE.matcher(code).results())
                .map(type -> type.group(1))
                .collect(toCollection(TreeSet::new));
        assertThat(found).hasSizeGreaterThan(800);
        return found;
    }
}
