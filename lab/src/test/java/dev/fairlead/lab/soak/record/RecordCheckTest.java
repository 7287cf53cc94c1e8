package dev.fairlead.lab.soak.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RecordCheckTest {
    private static final RecordText TEXT = new RecordText("nfs-0-1");

    @Test
    void all_records_up_to_the_last_one_are_there() {
        RecordCheck check = RecordCheck.of(TEXT, lines(1, 12), 10);

        assertThat(check).isEqualTo(new RecordCheck(12, 0, 0, List.of()));
    }

    @Test
    void those_that_were_said_to_be_kept_and_are_missing_at_the_end_are_lost() {
        RecordCheck check = RecordCheck.of(TEXT, lines(1, 7), 10);

        assertThat(check.lost()).isEqualTo(3);
    }

    @Test
    void one_that_is_missing_between_others_makes_the_rest_wrong() {
        List<String> lines = lines(1, 10);
        lines.remove(3);

        RecordCheck check = RecordCheck.of(TEXT, lines, 10);

        assertThat(check.last()).isEqualTo(3);
        assertThat(check.lost()).isEqualTo(7);
        assertThat(check.wrong()).hasSize(6);
    }

    @Test
    void an_empty_file_has_lost_all() {
        assertThat(RecordCheck.of(TEXT, List.of(), 5).lost()).isEqualTo(5);
    }

    @Test
    void a_batch_that_was_written_again_is_right() {
        List<String> lines = lines(1, 8);
        lines.add("");
        lines.addAll(lines(6, 10));

        RecordCheck check = RecordCheck.of(TEXT, lines, 10);

        assertThat(check).isEqualTo(new RecordCheck(10, 0, 0, List.of()));
    }

    @Test
    void the_beginning_of_a_record_is_torn_and_not_wrong() {
        List<String> lines = lines(1, 5);
        lines.add(TEXT.line(6).substring(0, 7));
        lines.addAll(lines(6, 10));

        RecordCheck check = RecordCheck.of(TEXT, lines, 10);

        assertThat(check).isEqualTo(new RecordCheck(10, 0, 1, List.of()));
    }

    @Test
    void a_changed_checksum_is_wrong_and_its_record_lost() {
        List<String> lines = lines(1, 5);
        lines.set(4, lines.get(4) + "0");

        RecordCheck check = RecordCheck.of(TEXT, lines, 5);

        assertThat(check.lost()).isEqualTo(1);
        assertThat(check.wrong()).singleElement().asString().contains("where 5 was expected");
    }

    @Test
    void a_record_of_another_volume_is_wrong() {
        List<String> lines = lines(1, 4);
        lines.add(new RecordText("smb-1-1").line(5));

        assertThat(RecordCheck.of(TEXT, lines, 4).wrong()).hasSize(1);
    }

    private static List<String> lines(long first, long last) {
        return new ArrayList<>(
                LongStream.rangeClosed(first, last).mapToObj(TEXT::line).toList());
    }
}
