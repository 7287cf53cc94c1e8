package dev.fairlead.adapter.freenas.export;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.domain.template.Template;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the templates of comments, and warns of places that democratic-csi fills and Fairlead does not. */
public final class TemplateReader {
    /** A place with {@code csi}, the name and version of the driver; a parameter may have such a name too. */
    private static final Pattern OF_DRIVER = Pattern.compile("\\{\\{[{#\\s]*(if\\s+)?csi\\s*[.}]");

    private TemplateReader() {}

    /** Returns the template of a comment; empty if there is none. */
    public static Optional<Template> comment(ConfigNode block, String key) {
        Optional<Template> template = block.optional(key, Template::parse, "a text or a template");
        if (template.filter(it -> OF_DRIVER.matcher(it.source()).find()).isPresent()) {
            block.problems()
                    .warning(
                            block.pathOf(key),
                            block.lineOf(key),
                            "has places with csi, which render to nothing here",
                            "write the name of the driver itself, or leave them out");
        }
        return template;
    }
}
