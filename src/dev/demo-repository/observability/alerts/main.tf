terraform {
  required_version = ">= 1.4"

  backend "local" {
    path = "/srv/terraform-state/observability/alerts.tfstate"
  }
}

module "labels" {
  source = "../../modules/labels"

  stack = "alerts"
}

locals {
  rota = yamldecode(file("${path.module}/../../oncall/rota.yml"))
}

resource "terraform_data" "route" {
  for_each = local.rota

  input = {
    name   = "${module.labels.prefix}-${each.key}"
    people = each.value
    tags   = module.labels.tags
  }
}
