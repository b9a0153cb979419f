terraform {
  required_version = ">= 1.4"

  backend "local" {
    path = "/srv/terraform-state/platform/dns.tfstate"
  }
}

module "labels" {
  source = "../../modules/labels"

  stack = "dns"
}

variable "zone" {
  type    = string
  default = "acme.example"
}

resource "terraform_data" "zone" {
  input = {
    name = var.zone
    tags = module.labels.tags
  }
}

resource "terraform_data" "mail" {
  input = {
    zone    = var.zone
    records = ["10 mx1.${var.zone}", "20 mx2.${var.zone}"]
  }
}

output "zone" {
  value = var.zone
}
