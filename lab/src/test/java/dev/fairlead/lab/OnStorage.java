package dev.fairlead.lab;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A suite that needs the storage host of {@code lab/storage}. Its tests may take a {@link StorageHost} as a parameter.
 * An ordinary build leaves such suites out by their tag, since the host takes minutes to build and to boot.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("storage")
@ExtendWith(StorageExtension.class)
@interface OnStorage {}
