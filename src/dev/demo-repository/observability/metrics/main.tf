terraform {
  required_version = ">= 1.4"

  backend "local" {
    path = "/srv/terraform-state/observability/metrics.tfstate"
  }
}

module "labels" {
  source = "../../modules/labels"

  stack = "metrics"
}

resource "terraform_data" "store" {
  input = {
    name           = module.labels.prefix
    retention_days = 30
    tags           = module.labels.tags
  }
}

output "endpoint" {
  value = "https://${module.labels.prefix}.internal"
}
