package dev.fairlead.zfs.property;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.access.Access;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class PropertyPartsTest {
    private static final Map<String, String> LONG = Map.of("a", "x".repeat(2000), Access.GRANTS, "g".repeat(1500));

    @Property(tries = 200)
    void long_notes_come_back_and_no_part_is_longer_than_the_api_takes(
            @ForAll @IntRange(max = 3500) int ofNotes,
            @ForAll @IntRange(max = 8000) int ofGrants,
            @ForAll boolean pairs) {
        Map<String, String> notes = new TreeMap<>();
        notes.put("a", (pairs ? "\uD83D\uDE00b" : "abc").repeat(ofNotes / 3));
        notes.put(Access.GRANTS, "g".repeat(ofGrants));

        Map<String, String> spread = PropertyParts.spread(NoteProperties.write(notes));

        assertThat(NoteProperties.read(spread)).isEqualTo(notes);
        assertThat(spread.values())
                .allSatisfy(value -> assertThat(value.codePointCount(0, value.length()))
                        .isLessThanOrEqualTo(PropertyParts.MOST_CHARACTERS));
    }

    @Test
    void parts_have_names_of_their_own_and_the_first_tells_them() {
        Map<String, String> spread = PropertyParts.spread(NoteProperties.write(LONG));

        assertThat(spread)
                .containsOnlyKeys(
                        OwnProperties.NOTES,
                        OwnProperties.NOTES + ".2",
                        OwnProperties.GRANTS,
                        OwnProperties.GRANTS + ".2");
        assertThat(PropertyParts.rest(OwnProperties.NOTES, spread.getOrDefault(OwnProperties.NOTES, "")))
                .containsExactly(OwnProperties.NOTES + ".2");
        assertThat(PropertyParts.rest(OwnProperties.NOTES, "{}")).isEmpty();
        assertThat(spread.keySet()).allMatch(PropertyTexts::isName);
    }

    @Test
    void what_a_longer_text_left_behind_says_nothing() {
        Map<String, String> properties = new HashMap<>(PropertyParts.spread(NoteProperties.write(LONG)));

        properties.putAll(PropertyParts.spread(NoteProperties.write(Map.of("a", "short", Access.GRANTS, "none"))));

        assertThat(NoteProperties.read(properties)).isEqualTo(Map.of("a", "short", Access.GRANTS, "none"));
    }

    @Test
    void a_volume_whose_notes_are_torn_lets_nobody_in() {
        Map<String, String> torn = new HashMap<>(PropertyParts.spread(NoteProperties.write(LONG)));
        torn.put(OwnProperties.NOTES + ".2", "other");
        torn.remove(OwnProperties.GRANTS + ".2");

        Access access = Access.of(NoteProperties.read(torn));

        assertThat(access)
                .isInstanceOfSatisfying(
                        Access.Nodes.class,
                        nodes -> assertThat(nodes.grants().isEmpty()).isTrue());
    }
}
