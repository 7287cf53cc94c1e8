package dev.fairlead.bootstrap.logging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.bootstrap.logging.LogSettings.Format;
import dev.fairlead.bootstrap.logging.LogSettings.LogLevel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LoggingTest {
    @AfterEach
    void restore() {
        Logging.use(LogSettings.EARLY);
    }

    @Test
    void at_the_finest_level_libraries_still_say_no_more_than_warnings() throws ClassNotFoundException {
        Logging.use(new LogSettings(LogLevel.SILLY, Format.TEXT, false));

        assertThat(LoggerFactory.getLogger("dev.fairlead.bootstrap.Main").isTraceEnabled())
                .isTrue();
        assertThat(LoggerFactory.getLogger("org.apache.sshd.common.session").isInfoEnabled())
                .isFalse();
        // The library logs by the class of the object, which here is ours.
        Class<?> session = Class.forName("dev.fairlead.adapter.ssh.TrustedSession");
        assertThat(LoggerFactory.getLogger(session).isInfoEnabled()).isFalse();
        assertThat(LoggerFactory.getLogger(session).isWarnEnabled()).isTrue();
    }
}
