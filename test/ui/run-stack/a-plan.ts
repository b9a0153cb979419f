/** A plan as the tool writes one: resources of every sort, in its order. */
export const planText = `
Terraform used the selected providers to generate the following execution
plan. Resource actions are indicated with the following symbols:
  + create
  ~ update in-place
  - destroy
+/- create replacement and then destroy

Terraform will perform the following actions:

  # aws_cloudwatch_metric_alarm.replica_lag will be created
  + resource "aws_cloudwatch_metric_alarm" "replica_lag" {
      + alarm_name  = "storefront-replica-lag"
      + arn         = (known after apply)
      + metric_name = "ReplicaLag"
      + threshold   = 60
    }

  # aws_db_instance.main will be updated in-place
  ~ resource "aws_db_instance" "main" {
        id                   = "storefront"
      ~ parameter_group_name = "storefront-16" -> "storefront-16-replicated"
        # (41 unchanged attributes hidden)
    }

  # aws_db_parameter_group.main must be replaced
+/- resource "aws_db_parameter_group" "main" {
      ~ arn         = "arn:aws:rds:eu-west-1:112233445566:pg:storefront-16" -> (known after apply)
      ~ id          = "storefront-16" -> (known after apply)
      ~ name        = "storefront-16" -> "storefront-16-replicated" # forces replacement
        tags        = {
            "environment" = "production"
            "stack"       = "database"
        }
        # (4 unchanged attributes hidden)

      + parameter {
          + apply_method = "pending-reboot"
          + name         = "hot_standby_feedback"
          + value        = "1"
        }
      + parameter {
          + apply_method = "pending-reboot"
          + name         = "max_standby_streaming_delay"
          + value        = "30000"
        }
        # (2 unchanged blocks hidden)
    }

  # aws_security_group_rule.legacy will be destroyed
  # (because aws_security_group_rule.legacy is not in configuration)
  - resource "aws_security_group_rule" "legacy" {
      - cidr_blocks       = [
          - "10.20.64.0/20",
        ] -> null
      - description       = "reports, until 2025" -> null
      - from_port         = 5432 -> null
      - id                = "sgrule-1093" -> null
    }

Plan: 2 to add, 1 to change, 2 to destroy.
`

/** What the client counts of it. */
export const planSummary = {
  ...{ adds: 1, changes: 1, destroys: 1, replaces: 1 },
  added: ['aws_cloudwatch_metric_alarm.replica_lag'],
  changed: ['aws_db_instance.main'],
  destroyed: ['aws_security_group_rule.legacy'],
  replaced: ['aws_db_parameter_group.main'],
}

/** A plan of so many bytes, of resources that are all changed but for each hundredth, which is destroyed. */
export const longPlan = (bytes: number): string => {
  const parts: string[] = ['Terraform will perform the following actions:', '']
  let size = 0
  for (let at = 0; size < bytes - 400; at += 1) {
    const does = at % 100 === 99 ? ['-', 'destroyed'] : ['~', 'updated in-place']
    const part = [
      `  # aws_route53_record.host[${at}] will be ${does[1]}`,
      `  ${does[0]} resource "aws_route53_record" "host" {`,
      ...Array.from({ length: 8 }, (_, line) => `      ${does[0]} value_${line} = "10.0.${at % 256}.${line}"`),
      '    }',
      '',
    ]
    size += part.join('\n').length + 1
    parts.push(...part)
  }
  return `${parts.join('\n')}\n`
}
