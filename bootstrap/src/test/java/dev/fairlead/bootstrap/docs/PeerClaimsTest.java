package dev.fairlead.bootstrap.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Nobody is told that Fairlead is faster or smaller than democratic-csi than by a row of the table of
 * docs/benchmarks.md.
 */
class PeerClaimsTest {
    private static final String PAGE = "docs/benchmarks.md";
    private static final String NUMBER = "([0-9.]+)";
    private static final Pattern ROW = Pattern.compile("(?m)^\\| ([^|]+) \\| " + NUMBER + " \\| " + NUMBER + " \\| "
            + NUMBER + " \\| " + NUMBER + " to " + NUMBER + " \\|$");

    /** Words that compare. */
    private static final Pattern COMPARISON = Pattern.compile(
            "(?i)\\b(faster|slower|quicker|sooner|smaller|leaner|outperforms?|twice|half|halves|third|quarter|fifth|seventh|tenth"
                    + "|twentieth|percent|times as|as (?:fast|slow|quick)|(?:less|more) (?:time|memory)|[0-9.]+ (?:%|times|MiB|ms))(?!\\w)");

    /** Fairlead's number by democratic-csi's. */
    private record Row(double ratio, double least, double most) {
        boolean about(double expected) {
            return Math.abs(ratio / expected - 1) <= 0.2;
        }

        boolean isFrom(double low, double high) {
            return Math.abs(least - low) < 0.005 && Math.abs(most - high) < 0.005;
        }
    }

    /**
     * Words of the page, and what they say of rows.
     *
     * @param rows how the names of these rows begin
     */
    private record Claim(String words, Predicate<Row> holds, List<String> rows) {}

    private static Claim claim(String words, Predicate<Row> holds, String... rows) {
        return new Claim(words, holds, List.of(rows));
    }

    private static final String MAKE = "CreateVolume on ";
    private static final String DELETE = "DeleteVolume on ";
    private static final String ONE = ", callers: 1, p50";
    private static final String MANY = ", callers: 32, a second";

    private static final List<Claim> CLAIMS = List.of(
            claim(
                    "At one caller democratic-csi makes and deletes a volume on disk faster.",
                    row -> row.least() > 1,
                    MAKE + "disk, user 0" + ONE,
                    MAKE + "disk, user root" + ONE,
                    DELETE + "disk, user 0" + ONE,
                    DELETE + "disk, user root" + ONE),
            claim(
                    "With the owner 0 it makes one in a twentieth of Fairlead's time",
                    row -> row.about(20),
                    MAKE + "disk, user 0" + ONE),
            claim("with `root` in half of it", row -> row.about(2), MAKE + "disk, user root" + ONE),
            claim(
                    "and deletes one in less than a quarter.",
                    row -> row.ratio() > 4,
                    DELETE + "disk, user 0" + ONE,
                    DELETE + "disk, user root" + ONE),
            claim(
                    "Fairlead still takes four times as long to make a volume with the owner 0",
                    row -> row.about(4),
                    MAKE + "tmpfs, user 0" + ONE),
            claim(
                    "and about ten times as long to delete one",
                    row -> row.about(10),
                    DELETE + "tmpfs, user 0" + ONE,
                    DELETE + "tmpfs, user root" + ONE),
            claim(
                    "with `root` it makes one in less than half of democratic-csi's time.",
                    row -> row.ratio() < 0.5,
                    MAKE + "tmpfs, user root" + ONE),
            claim(
                    "At 32 callers on disk Fairlead makes a quarter as many volumes a second with the owner 0",
                    row -> row.about(0.25),
                    MAKE + "disk, user 0" + MANY),
            claim("and 1.8 times as many with `root`", row -> row.about(1.8), MAKE + "disk, user root" + MANY),
            claim(
                    "and deletes nearly twice as many",
                    row -> row.about(2) && row.ratio() < 2,
                    DELETE + "disk, user 0" + MANY,
                    DELETE + "disk, user root" + MANY),
            claim("in memory it makes 0.59", row -> row.about(0.59), MAKE + "tmpfs, user 0" + MANY),
            claim("and 7.5 times as many", row -> row.about(7.5), MAKE + "tmpfs, user root" + MANY),
            claim(
                    "and deletes about a third as many.",
                    row -> row.about(1 / 3.0),
                    DELETE + "tmpfs, user 0" + MANY,
                    DELETE + "tmpfs, user root" + MANY),
            claim(
                    "Publishing takes Fairlead a seventh of the time at one caller",
                    row -> row.about(1 / 7.0),
                    "NodePublishVolume" + ONE),
            claim("and a tenth at 32", row -> row.about(0.1), "NodePublishVolume, callers: 32, p50"),
            claim(
                    "Starts are not told apart by this run.",
                    row -> row.least() < 1 && row.most() > 1,
                    "start to the first answer"),
            claim(
                    "At rest Fairlead holds 5 to 21 % more memory",
                    row -> row.isFrom(1.05, 1.21), "resident memory at rest"),
            claim(
                    "after the calls a quarter more at the median.",
                    row -> row.about(1.25),
                    "resident memory after the calls on disk, user 0",
                    "resident memory after the calls on disk, user root"),
            claim(
                    "Missed: CreateVolume at one caller was to take a quarter of democratic-csi's time.",
                    row -> row.ratio() > 0.25,
                    MAKE + "disk, user 0" + ONE,
                    MAKE + "disk, user root" + ONE,
                    MAKE + "tmpfs, user 0" + ONE,
                    MAKE + "tmpfs, user root" + ONE));

    private final Repository repository = Repository.ofThisBuild();

    @Test
    void what_the_page_says_of_the_two_is_what_its_table_shows() {
        Map<String, Row> table = table();

        assertThat(CLAIMS).allSatisfy(claim -> {
            assertThat(said()).contains(claim.words());
            assertThat(claim.rows())
                    .allSatisfy(name -> assertThat(row(table, name))
                            .as("%s, of which is said: %s", name, claim.words())
                            .matches(claim.holds()));
        });
    }

    @Test
    void the_page_compares_the_two_by_nothing_else() {
        String rest = said();
        for (Claim claim : CLAIMS) {
            rest = rest.replace(claim.words(), "…");
        }

        assertThat(sentences(rest)
                        .filter(sentence -> COMPARISON.matcher(sentence).find()))
                .as("comparisons that no row of the table was looked up for")
                .isEmpty();
    }

    @Test
    void no_other_document_compares_the_two() {
        var found = repository.documents().stream()
                .map(path -> repository.root().relativize(path).toString())
                .filter(name -> !name.equals(PAGE))
                .flatMap(name -> sentences(repository.text(name))
                        .filter(sentence -> sentence.contains("democratic-csi"))
                        .filter(sentence -> COMPARISON.matcher(sentence).find())
                        .map(sentence -> name + ": " + sentence))
                .toList();

        assertThat(found).as("comparisons with democratic-csi beside " + PAGE).isEmpty();
    }

    /** Returns what the page's section says below its table, each blank as one. */
    private String said() {
        String section = section();
        return String.join(" ", section.substring(section.lastIndexOf("|") + 1).split("\\s+", -1));
    }

    private String section() {
        String page = repository.text(PAGE);
        String from = page.substring(page.indexOf("## Beside democratic-csi"));
        return from.substring(0, from.indexOf("\n## ", 1));
    }

    private Map<String, Row> table() {
        Map<String, Row> rows = new LinkedHashMap<>();
        Matcher row = ROW.matcher(section());
        while (row.find()) {
            rows.put(row.group(1), new Row(number(row, 4), number(row, 5), number(row, 6)));
        }
        assertThat(rows).hasSizeGreaterThan(30);
        return rows;
    }

    private static double number(Matcher row, int group) {
        return Double.parseDouble(row.group(group));
    }

    private static Row row(Map<String, Row> table, String name) {
        var found = table.keySet().stream().filter(key -> key.startsWith(name)).toList();
        assertThat(found).as("rows of the table that begin with %s", name).hasSize(1);
        return table.getOrDefault(found.getFirst(), new Row(Double.NaN, Double.NaN, Double.NaN));
    }

    /** Returns the sentences of a document, cells of tables and entries of lists among them, each in one line. */
    private static Stream<String> sentences(String text) {
        return Stream.of(text.split("(?<=[.!?:;|])\\s+|\\n\\s*\\n|\\n\\s*[-|*] ", -1))
                .map(sentence -> String.join(" ", sentence.split("\\s+", -1)));
    }
}
