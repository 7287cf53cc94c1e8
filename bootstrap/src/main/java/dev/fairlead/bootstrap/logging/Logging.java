package dev.fairlead.bootstrap.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.logging.LogManager;
import org.slf4j.LoggerFactory;

/**
 * Configures logging to standard error in code: it searches for no file and reads no XML.
 *
 * <p>Fairlead's own loggers follow the level; those of libraries say no more than warnings, since some write whole
 * messages at their finer levels, and a message may hold a secret.
 */
public final class Logging extends ContextAwareBase implements Configurator {
    private static final String OURS = "dev.fairlead";

    /** The name of a class of Fairlead's by whose logger the SSH library logs every packet. */
    private static final String SSH_SESSION = "dev.fairlead.adapter.ssh.TrustedSession";

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        apply(context, LogSettings.EARLY);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** Replaces the settings of the start by those of the command line. */
    public static void use(LogSettings settings) {
        apply((LoggerContext) LoggerFactory.getILoggerFactory(), settings);
        LogManager.getLogManager().reset();
        java.util.logging.Logger.getLogger("").addHandler(new LibraryLogs());
    }

    private static void apply(LoggerContext context, LogSettings settings) {
        var appender = new ConsoleAppender<ILoggingEvent>();
        appender.setContext(context);
        appender.setName("stderr");
        appender.setTarget("System.err");
        appender.setEncoder(encoder(context, settings));
        appender.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.detachAndStopAllAppenders();
        root.addAppender(appender);
        root.setLevel(settings.level() == LogSettings.LogLevel.ERROR ? Level.ERROR : Level.WARN);
        context.getLogger(OURS).setLevel(settings.level().level());
        context.getLogger(SSH_SESSION).setLevel(root.getLevel());
    }

    private static Encoder<ILoggingEvent> encoder(LoggerContext context, LogSettings settings) {
        Encoder<ILoggingEvent> encoder =
                settings.format() == LogSettings.Format.JSON ? new JsonLines() : new TextLines(settings.color());
        encoder.setContext(context);
        encoder.start();
        return encoder;
    }
}
