terraform {
  required_version = ">= 1.4"

  backend "local" {
    path = "/srv/terraform-state/data/database.tfstate"
  }
}

data "terraform_remote_state" "network" {
  backend = "local"

  config = {
    path = "/srv/terraform-state/platform/network.tfstate"
  }
}

module "labels" {
  source = "../../modules/labels"

  stack = "database"
}

variable "admin_password" {
  type      = string
  sensitive = true
  default   = "replaced-at-first-rotation"
}

variable "size_gb" {
  type    = number
  default = 200
}

resource "terraform_data" "instance" {
  input = {
    name    = module.labels.prefix
    engine  = "postgres 18"
    size_gb = var.size_gb
    subnets = data.terraform_remote_state.network.outputs.subnet_ids
    tags    = module.labels.tags
  }
}

resource "terraform_data" "administrator" {
  input = {
    instance = module.labels.prefix
    name     = "admin"
    password = var.admin_password
  }
}

output "endpoint" {
  value = "${module.labels.prefix}.internal:5432"
}
