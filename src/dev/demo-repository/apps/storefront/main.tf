terraform {
  required_version = ">= 1.4"

  # One state a workspace, and one workspace an instance: staging and production.
  backend "local" {
    path          = "/srv/terraform-state/apps/storefront.tfstate"
    workspace_dir = "/srv/terraform-state/apps/storefront"
  }
}

data "terraform_remote_state" "cluster" {
  backend = "local"

  config = {
    path = "/srv/terraform-state/platform/cluster.tfstate"
  }
}

data "terraform_remote_state" "database" {
  backend = "local"

  config = {
    path = "/srv/terraform-state/data/database.tfstate"
  }
}

data "terraform_remote_state" "dns" {
  backend = "local"

  config = {
    path = "/srv/terraform-state/platform/dns.tfstate"
  }
}

variable "image" {
  type = string
}

variable "replicas" {
  type = number
}

variable "subdomain" {
  type = string
}

module "service" {
  source = "../../modules/service"

  name        = "storefront"
  environment = terraform.workspace
  cluster     = data.terraform_remote_state.cluster.outputs.name
  image       = var.image
  replicas    = var.replicas
  hostname    = "${var.subdomain}.${data.terraform_remote_state.dns.outputs.zone}"

  settings = {
    database = data.terraform_remote_state.database.outputs.endpoint
  }
}

output "address" {
  value = "https://${module.service.address}"
}
