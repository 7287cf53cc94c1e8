package dev.fairlead.adapter.template;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.FolderPath;
import java.nio.file.Path;

/**
 * Holds what the store reads of a connection's file, in the block that has the driver type's name.
 *
 * @param base {@code controllerBasePath}: the folder for volumes
 */
record TemplateSettings(Path base) {
    static TemplateSettings read(String block, ConfigNode file) {
        return new TemplateSettings(FolderPath.read(file.child(block), "controllerBasePath"));
    }
}
