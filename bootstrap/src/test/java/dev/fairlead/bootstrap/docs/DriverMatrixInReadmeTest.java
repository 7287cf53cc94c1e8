package dev.fairlead.bootstrap.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.bootstrap.driver.DriverMatrix;
import dev.fairlead.bootstrap.driver.DriverTypes;
import org.junit.jupiter.api.Test;

class DriverMatrixInReadmeTest {
    @Test
    void the_readme_holds_the_table_of_drivers_word_for_word() {
        String readme = Repository.ofThisBuild().text("README.md");

        assertThat(readme)
                .contains("<!-- drivers -->\n" + DriverMatrix.markdown(DriverTypes.all()) + "<!-- /drivers -->");
    }
}
