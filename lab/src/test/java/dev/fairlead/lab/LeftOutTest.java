package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Says which suites a run leaves out by their tags, and how they are run. */
class LeftOutTest {
    @Test
    void what_is_left_out_is_said() {
        String tags = System.getProperty("lab.left-out", "");
        for (String tag : tags.split(",", -1)) {
            if (!tag.isEmpty()) {
                System.err.printf(
                        "LEFT OUT: suites of the %s lab; they run with: mvn test -pl lab -am -Dgroups=%s -Dlab.left-out=%n",
                        tag, tag);
            }
        }

        assertThat(Arrays.asList("", "cluster,storage,long")).contains(tags);
    }
}
