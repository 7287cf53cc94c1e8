package dev.fairlead.lab;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A suite that needs the cluster of {@code lab/kube}. Its tests may take a {@link KubeCluster} as a parameter. An
 * ordinary build leaves such suites out by their tag, since the cluster takes root and, the first time, twenty minutes.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("cluster")
@ExtendWith(ClusterExtension.class)
@interface OnCluster {}
